// How long each check takes: measured by earlier runs, kept with --update, and used to begin the longest first.
import { readFile, writeFile } from 'node:fs/promises'

const path = new URL('costs.json', import.meta.url)

/** Without a measurement: a check that waits takes longer than one that does not. */
const UNKNOWN = { waits: 40, works: 12 }

/** A function that estimates the seconds of a check: its own, else the middle of other agents', else a guess. */
export async function readCosts() {
  const costs = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
  return (agent, { name, waits }) => {
    const own = costs[name]?.[agent]
    if (own !== undefined) return own
    const others = Object.values(costs[name] ?? {}).sort((a, b) => a - b)
    return others[others.length >> 1] ?? (waits ? UNKNOWN.waits : UNKNOWN.works)
  }
}

/** Replaces what was measured again; the older form of an agent is not kept. */
export async function keepCosts(results) {
  const costs = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
  for (const { agent, check, durationMs, status, isOlder } of results) {
    if (isOlder || status !== 'passed') continue
    costs[check] = { ...costs[check], [agent]: Math.round(durationMs / 1000) }
  }
  const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
  const rows = Object.entries(sorted(costs)).map(([name, row]) => `  "${name}": ${JSON.stringify(sorted(row))}`)
  await writeFile(path, `{\n${rows.join(',\n')}\n}\n`)
}
