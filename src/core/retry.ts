import type { ErrorCode } from '../contract/errors.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RetryPolicy } from '../contract/run-options.ts'

export const RETRY_DEFAULTS: Required<RetryPolicy> = {
  maxRetries: 3,
  baseDelayMs: 1000,
  maxDelayMs: 30_000,
  jitterFactor: 0.1,
  retryOn: ['RATE_LIMITED', 'AGENT_CRASH', 'TIMEOUT'],
}

/** The code under which a retry policy knows a failure. */
export function errorCodeOf(event: AgentEvent): ErrorCode | null {
  switch (event.type) {
    case 'error':
      return event.code
    case 'crash':
      return 'AGENT_CRASH'
    case 'rate_limit_error':
      return 'RATE_LIMITED'
    case 'timeout':
      return event.kind === 'run' ? 'TIMEOUT' : 'INACTIVITY_TIMEOUT'
    case 'auth_error':
      return 'AUTH_ERROR'
    case 'context_exceeded':
      return 'CONTEXT_EXCEEDED'
    default:
      return null
  }
}

/** Only what carries `recoverable: false` says itself that another try is useless. */
export function isRetryable(event: AgentEvent, code: ErrorCode, attempt: number, policy: RetryPolicy): boolean {
  const { maxRetries, retryOn } = { ...RETRY_DEFAULTS, ...policy }
  const recoverable = !('recoverable' in event) || event.recoverable
  return attempt < maxRetries && retryOn.includes(code) && recoverable
}

/** `random` in 0…1. `attempt` is 0-based. An announced reset wins over the computed delay. */
export function retryDelay(policy: RetryPolicy, attempt: number, random: number, announcedMs?: number): number {
  const { baseDelayMs, maxDelayMs, jitterFactor } = { ...RETRY_DEFAULTS, ...policy }
  if (announcedMs !== undefined) return announcedMs
  return Math.round(Math.min(baseDelayMs * 2 ** attempt, maxDelayMs) * (1 + random * jitterFactor))
}
