import type { Effect } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { type JsonRecord, parseRecord, parseRecords } from './json.ts'
import { jsonLine } from './json-line.ts'

/** One array for all records that have none. Whoever adds to it would tell it in every run of the process. */
export const NO_EFFECTS: Effect[] = []
Object.freeze(NO_EFFECTS)

export function warning(message: string): Effect {
  return { emit: { type: 'debug', level: 'warn', message } }
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

/** Settings that change nothing essential. */
const SAMPLING = ['temperature', 'topP', 'topK', 'maxTokens', 'maxOutputTokens'] as const

export type SamplingOption = (typeof SAMPLING)[number]

/** Those that the agent has no place for are told once, then ignored. */
export function ignoredOptions(
  agentName: string,
  options: RunOptions,
  honoured: readonly SamplingOption[] = [],
): Effect[] {
  const ignored = SAMPLING.filter((name) => options[name] !== undefined && !honoured.includes(name))
  return ignored.length > 0 ? [warning(`${agentName} has no setting for ${ignored.join(', ')}; ignored.`)] : NO_EFFECTS
}
