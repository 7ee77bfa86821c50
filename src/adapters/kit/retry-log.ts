import type { Effect } from '../../contract/dialogue.ts'
import { decideFailure } from '../../core/failure-codes.ts'

interface RetrySign {
  attempt: number
  maxAttempts: number
  /** In words that name the status. */
  reason: string
  delayMs?: number
}

/** Another try at a request, as the log of a CLI reports it. */
export function retrySign({ attempt, maxAttempts, reason, delayMs = 0 }: RetrySign): Effect[] {
  const retry: Effect = { emit: { type: 'retry', attempt, maxAttempts, reason, delayMs }, isLate: true }
  const isLimit = ['rate_limit', 'quota'].includes(decideFailure({ words: reason }))
  return isLimit ? [{ emit: { type: 'rate_limited', retryAfterMs: delayMs || undefined } }, retry] : [retry]
}
