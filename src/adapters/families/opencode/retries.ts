import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { classifyFailure } from '../../../core/failures.ts'
import { waitIn } from '../../../core/limit-end.ts'

/**
 * Tries at the model that failed. The agent waits and tries again without a word on its wire, for minutes; only its log
 * shows it. Whether a failed try was the last one shows by what comes next.
 */
export interface Retries {
  /** Why the last try failed, until that is known. */
  failedTry: string | undefined
  count: number
}

export function createRetries(): Retries {
  return { failedTry: undefined, count: 0 }
}

/** The agent tries six times at most. */
const MAX_RETRIES = 5

function retry(retries: Retries, reason: string): Effect {
  retries.count += 1
  return { emit: { type: 'retry', attempt: retries.count, maxAttempts: MAX_RETRIES, reason, delayMs: 0 } }
}

const FAILED_TRY = /message="stream error" .*\bsmall=false\b.*\bmode=primary\b.*\berror\.error="((?:[^"\\]|\\.)*)"/

/** A line of the log. */
export function logLine(retries: Retries, line: string): Effect[] {
  const failed = FAILED_TRY.exec(line)?.[1]
  if (failed === undefined) return NO_EFFECTS
  const before = retries.failedTry
  const words = failed.replace(/^\w+Error: /, '')
  retries.failedTry = words
  return before === undefined ? waiting(words) : [retry(retries, before)]
}

/**
 * At a limit it waits for as long as the server says, perhaps for an hour, before there is another try to be seen. For
 * a server that cannot be reached, Kilo 7.7 waits until somebody answers on its screen.
 */
function waiting(words: string): Effect[] {
  const kind = classifyFailure(words)
  if (kind !== 'rate_limit' && kind !== 'quota' && kind !== 'network') return NO_EFFECTS
  return [{ limited: { kind, reason: words, retryAfterMs: waitIn(words) } }]
}

/** The model answers. `reason` is why there must have been another try, where the wire itself shows that. */
export function answered(retries: Retries, reason?: string): Effect[] {
  const why = retries.failedTry ?? reason
  retries.failedTry = undefined
  return why === undefined ? NO_EFFECTS : [retry(retries, why)]
}

/** A step went well, or the turn failed for good. */
export function settled(retries: Retries): void {
  retries.failedTry = undefined
  retries.count = 0
}
