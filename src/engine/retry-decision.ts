import type { AgentAdapter } from '../contract/adapter.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { RetryPolicy, RunOptions } from '../contract/run-options.ts'
import { completeDraft } from '../core/complete-draft.ts'
import { errorCodeOf, isRetryable, RETRY_DEFAULTS, retryDelay } from '../core/retry.ts'
import type { Verdict } from './outcome.ts'

export interface RetryQuestion {
  adapter: AgentAdapter
  verdict: Verdict
  isTransient: boolean
  attempt: number
  policy: RetryPolicy | undefined
  /** 0: there is no longest wait. */
  maxWaitMs: number
  runId: string
  agent: AgentName
}

/**
 * The options of the next attempt. An id that was chosen for a new session is taken once a session has begun under it:
 * claude, gemini and qwen refuse it then, and others would go on with what the failed attempt has left.
 */
export function optionsForRetry(options: RunOptions, begunSession: string | null): RunOptions {
  const { newSessionId, ...rest } = options
  return newSessionId !== undefined && newSessionId === begunSession ? rest : options
}

/** Milliseconds until the next try, or null for none. Off unless a policy is given. */
export function retryDelayFor({
  adapter,
  verdict,
  isTransient,
  attempt,
  policy,
  maxWaitMs,
  ...run
}: RetryQuestion): number | null {
  if (!policy || verdict.terminal === null) return null
  const event = eventOf(verdict, verdict.terminal, isTransient)
  if (event.type === 'error') event.recoverable = isTransient
  completeDraft(event, { ...run, timestamp: Date.now() })
  if (!wantsRetry(adapter, event, attempt, { ...RETRY_DEFAULTS, ...policy })) return null
  const { outcome } = verdict
  const announcedMs = outcome.kind === 'rate_limited' ? outcome.retryAfterMs : undefined
  if (announcedMs !== undefined && maxWaitMs > 0 && announcedMs > maxWaitMs) return null
  return retryDelay(policy, attempt, Math.random(), announcedMs)
}

/**
 * Adapters know a rate limit by an event of its own, whichever event ends the run. One that was reported as an error
 * from which nothing recovers stays that.
 */
function eventOf({ outcome }: Verdict, terminal: AgentEventDraft, isTransient: boolean): AgentEventDraft {
  if (outcome.kind !== 'rate_limited' || !isTransient) return { ...terminal }
  return { type: 'rate_limit_error', message: outcome.evidence, retryAfterMs: outcome.retryAfterMs }
}

function wantsRetry(adapter: AgentAdapter, event: AgentEvent, attempt: number, policy: RetryPolicy): boolean {
  try {
    if (adapter.shouldRetry) return adapter.shouldRetry(event, attempt, policy)
    const code = errorCodeOf(event)
    return code !== null && isRetryable(event, code, attempt, policy)
  } catch {
    return false // documented: a retry hook that fails means no retry
  }
}
