import type { Effect } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { type JsonRecord, parseRecord } from './json.ts'
import { jsonLine } from './json-line.ts'

/** One array for all records that have none: never add to it. */
export const NO_EFFECTS: Effect[] = []

export function warning(message: string): Effect {
  return { emit: { type: 'debug', level: 'warn', message } }
}

/** One record for the agent's stdin. */
export function writeLine(record: object): Effect {
  return { write: jsonLine(record) }
}

/** Hands a line of JSON on; any other line that is not blank is counted. */
export function recordEffects(line: string, read: (record: JsonRecord) => Effect[]): Effect[] {
  const record = parseRecord(line)
  if (record) return read(record)
  return line.trim() === '' ? NO_EFFECTS : [{ unrecognized: 'text' }]
}

/** The settings that the agent has no place for and that change nothing essential: told once, then ignored. */
export function ignoredOptions(agentName: string, options: RunOptions, names: readonly (keyof RunOptions)[]): Effect[] {
  const ignored = names.filter((name) => options[name] !== undefined)
  return ignored.length > 0 ? [warning(`${agentName} has no setting for ${ignored.join(', ')}; ignored.`)] : NO_EFFECTS
}
