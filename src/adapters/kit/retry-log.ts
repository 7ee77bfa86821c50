import type { Effect } from '../../contract/dialogue.ts'
import { decideFailure } from '../../core/failure-codes.ts'

export interface RetrySign {
  attempt: number
  maxAttempts: number
  /** In words that name the status. */
  reason: string
  delayMs?: number
  /** Reported in the stream itself, so that nothing of the next try can precede it. */
  isInline?: boolean
}

/** Another try at a request, as a CLI reports it, mostly in its log. */
export function retrySign({ attempt, maxAttempts, reason, delayMs = 0, isInline }: RetrySign): Effect[] {
  const emit = { type: 'retry', attempt, maxAttempts, reason, delayMs } as const
  const retry: Effect = isInline ? { emit } : { emit, isLate: true }
  const isLimit = ['rate_limit', 'quota'].includes(decideFailure({ words: reason }))
  return isLimit ? [{ emit: { type: 'rate_limited', retryAfterMs: delayMs || undefined } }, retry] : [retry]
}
