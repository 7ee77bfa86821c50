import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, recordEffects } from '../../core/effects.ts'
import { type JsonRecord, parseRecord } from '../../core/json.ts'

const BEGIN = /^\{\s*$/

/**
 * Hands on records that fill a line each, and one that is printed over many: there all lines are indented but for the
 * brackets that begin and end it. Any other line that is not blank is counted.
 */
export function recordReader(read: (record: JsonRecord) => Effect[]): (line: string) => Effect[] {
  let open: string[] = []
  return (line) => {
    if (open.length === 0 && !BEGIN.test(line)) return recordEffects(line, read)
    if (open.length > 0 && line.startsWith(' ')) {
      open.push(line)
      return NO_EFFECTS
    }
    const lost: Effect[] = []
    if (line.startsWith('{')) {
      if (open.length > 0) lost.push({ unrecognized: 'text' })
      open = []
      if (!BEGIN.test(line)) return [...lost, ...recordEffects(line, read)]
    }
    open.push(line)
    const record = line.trimEnd() === '}' ? parseRecord(open.join('\n')) : null
    if (record === null) return lost
    open = []
    return read(record)
  }
}
