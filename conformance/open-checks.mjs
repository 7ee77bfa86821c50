// Checks that are known not to hold yet, by agent, in open.json. They run and are reported, count as nothing, and fail nothing.
// An entry is a debt: take it off the list as soon as the check holds. The same goes for a check that is new for an agent: what
// was proven once has to stay proven, and a new one joins the matrix with --update.
import { readFile } from 'node:fs/promises'

/** A function that says why a result is open; undefined for every other. */
export async function readOpenChecks() {
  const entries = JSON.parse(await readFile(new URL('open.json', import.meta.url), 'utf8'))
  const proven = JSON.parse(await readFile(new URL('matrix.json', import.meta.url), 'utf8'))
  const known = new Set(proven.map(({ agent, version, check }) => `${agent} ${version} ${check}`))
  return ({ agent, version, check }) => {
    const open = entries.find((one) => one.check === check && (one.agents === 'all' || one.agents.includes(agent)))
    if (open) return open.why
    return known.has(`${agent} ${version} ${check}`) ? undefined : 'it is new, and has not joined the matrix'
  }
}
