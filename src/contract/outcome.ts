import type { ErrorCode } from './errors.ts'

/**
 * What a CI job can trust, in place of the exit code: the CLIs exit 0 after a denied tool, a spent quota or a
 * cancelled turn. `evidence` says in words what the verdict rests on.
 */
export type Outcome =
  | { kind: 'completed'; evidence?: string }
  | { kind: 'permission_blocked'; evidence: string; tools?: string[] }
  | { kind: 'question_unanswered'; evidence: string }
  | { kind: 'auth_required'; evidence: string }
  | { kind: 'quota_exhausted'; evidence: string; resetAt?: number }
  | { kind: 'rate_limited'; evidence: string; retryAfterMs?: number }
  | { kind: 'context_exhausted'; evidence: string }
  | { kind: 'turn_limit'; evidence: string }
  | { kind: 'budget_exceeded'; evidence: string }
  /** The answer does not fit `outputSchema`, also not when it was asked for once more. */
  | { kind: 'output_invalid'; evidence: string }
  | { kind: 'cancelled'; evidence: string }
  | { kind: 'timed_out'; evidence: string }
  | { kind: 'crashed'; evidence: string }
  | { kind: 'protocol_drift'; evidence: string }
  | { kind: 'failed'; code: ErrorCode; evidence: string }

/** The kinds of outcomes; `docs/outcomes.md` describes each. */
export type OutcomeKind = Outcome['kind']

/** Why a run's process ended. */
export type ExitReason =
  | 'completed'
  | 'aborted'
  | 'interrupted'
  | 'timeout'
  | 'inactivity'
  | 'turn_limit'
  | 'crashed'
  | 'killed'
