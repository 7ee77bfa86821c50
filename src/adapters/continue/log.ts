import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asNumber, asString, parseRecord } from '../../core/json.ts'
import { retrySign } from '../kit/retry-log.ts'

const BEGUN = /\[([0-9a-f]+)\] \[debug\]: Starting file index in directory: (.*)$/
const FAILED = /\[([0-9a-f]+)\] \[debug\]: Retry attempt (\{.*\})$/
const MAX_RETRIES = 10

/**
 * Reads the log that all processes of the CLI share. A process is known by the directory in which it begins after our
 * start. Where two begin in the same one, nobody can say whose retries these are, and none count.
 */
export function logReader(cwd: string): (line: string) => Effect[] {
  const ours = new Set<string>()
  return (line) => {
    const [, begun, directory] = BEGUN.exec(line) ?? []
    if (begun !== undefined && directory === cwd) ours.add(begun)
    const [, owner = '', details = ''] = FAILED.exec(line) ?? []
    if (ours.size !== 1 || !ours.has(owner)) return NO_EFFECTS
    const { attempt, delay, error } = parseRecord(details) ?? {}
    const reason = asString(error) ?? 'the request failed'
    return retrySign({
      ...{ attempt: (asNumber(attempt) ?? 0) + 1, maxAttempts: MAX_RETRIES },
      ...{ reason, delayMs: asNumber(delay) },
    })
  }
}
