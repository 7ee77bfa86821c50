import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { retrySign } from '../kit/retry-log.ts'

const FAILED = /\bAttempt (\d+) failed(?: with (status \d+))?\. Retrying .*?(\d+)(ms|s)\b/
const MAX_ATTEMPTS = 7

/** A line of the debug log: a request that has failed, with all the retries of the CLI's HTTP client. */
export function logLine(line: string): Effect[] {
  const [, attempt, reason = 'the request failed', delay, unit] = FAILED.exec(line) ?? []
  if (attempt === undefined) return NO_EFFECTS
  const delayMs = Number(delay) * (unit === 's' ? 1000 : 1)
  return retrySign({ attempt: Number(attempt), maxAttempts: MAX_ATTEMPTS, reason, delayMs })
}
