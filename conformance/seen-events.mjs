// Which types of events each agent was seen to give: those in its golden recordings.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Agent → types. An agent without recordings is left out. */
export function seenEvents(adaptersDirectory) {
  const seen = new Map()
  for (const path of readdirSync(adaptersDirectory, { recursive: true })) {
    const [agent, folder, ...rest] = path.split(/[\\/]/)
    if (folder !== 'fixtures' || rest.at(-1) !== 'events.jsonl') continue
    const types = seen.get(agent) ?? new Set()
    for (const line of readFileSync(join(adaptersDirectory, path), 'utf8').split('\n')) {
      if (line !== '') types.add(JSON.parse(line).type)
    }
    seen.set(agent, types)
  }
  return seen
}
