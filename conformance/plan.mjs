// Which checks run for which agent, and which are proven by another agent of the same family.
import { families, isSharedWithNewer, ONCE_A_FAMILY, ONCE_A_PROGRAM, standIn } from '../dist/verify/families.js'
import { checksFor } from '../dist/verify/suite.js'

/** The checks of each request that another request proves, with that agent: a list of { agent, check, by }. */
export function leftOut(requests) {
  const newest = requests.filter(({ isOlder }) => !isOlder)
  const claims = (agent, check) =>
    newest.some((one) => one.agent === agent && checksFor(one.capabilities).some(({ name }) => name === check))
  return requests.flatMap(({ agent, version, capabilities, isOlder }) =>
    checksFor(capabilities).flatMap(({ name: check }) => {
      // The older form of an agent is of the family of the newer one.
      const by = standIn(agent, check, claims) ?? (isOlder && isSharedWithNewer(agent, check) ? agent : undefined)
      return by === undefined ? [] : [{ agent, version, check, by }]
    }),
  )
}

/** A line a check: who takes it, for whom, and why that is enough. */
export function renderPlan(requests) {
  const out = leftOut(requests)
  const lines = [
    `Families: ${Object.entries(families)
      .map(([name, agents]) => `${name} (${agents.join(', ')})`)
      .join('; ')}`,
  ]
  for (const [check, { because }] of Object.entries({ ...ONCE_A_FAMILY, ...ONCE_A_PROGRAM })) {
    const rows = out.filter((one) => one.check === check)
    if (rows.length === 0) continue
    const byWhom = [...new Set(rows.map(({ by }) => by))].map((by) => {
      const others = rows
        .filter((one) => one.by === by)
        .map(({ agent, version }) => (agent === by ? `${agent} ${version}` : agent))
      return `${by} for ${others.join(', ')}`
    })
    lines.push(`${check}: ${byWhom.join('; ')}\n    ${because}`)
  }
  return lines.join('\n')
}
