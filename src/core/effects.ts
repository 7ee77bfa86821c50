import type { Effect } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { type JsonRecord, parseRecord, parseRecords } from './json.ts'
import { jsonLine } from './json-line.ts'

/** One array for all records that have none. An effect added to it would appear in every run of the process. */
export const NO_EFFECTS: Effect[] = []
Object.freeze(NO_EFFECTS)

export function warning(message: string): Effect {
  return { emit: { type: 'debug', level: 'warn', message } }
}

/** The model began its response again: what was streamed of it is void. */
export function withdrawResponse(reason: string, attempt = 1): Effect {
  return { emit: { type: 'attempt_withdrawn', attempt, reason, scope: 'response', text: '', toolCallIds: [] } }
}

/** One record for the agent's stdin. */
export function writeLine(record: object): Effect {
  return { write: jsonLine(record) }
}

/** The session of a run is open: a new one, one that goes on, or a copy, as the options have asked for it. */
export function sessionOpened(options: RunOptions, sessionId: string, model?: string): Effect[] {
  const { sessionId: resumed, forkSessionId: forkedFrom } = options
  const effects: Effect[] = [{ emit: { type: 'session_start', sessionId, resumed: resumed !== undefined, forkedFrom } }]
  if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId, forkedFrom } })
  if (model !== undefined) effects.push({ model })
  return effects
}

/** Hands a line of JSON on, and each record of a list; any other line that is not blank is counted. */
export function recordEffects(line: string, read: (record: JsonRecord) => Effect[]): Effect[] {
  const record = parseRecord(line)
  if (record) return read(record)
  const list = line.startsWith('[') ? parseRecords(line) : null
  if (list) return list.flatMap(read)
  return line.trim() === '' ? NO_EFFECTS : [{ unrecognized: 'text' }]
}
