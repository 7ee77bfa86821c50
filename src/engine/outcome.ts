import type { TurnFailure } from '../contract/dialogue.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { ExitReason, Outcome } from '../contract/outcome.ts'
import { failTurn } from '../core/failures.ts'
import { tellingLine } from '../core/stderr.ts'
import type { Retrying } from './run-totals.ts'

/** Why we ended a run ourselves. */
export type StopReason =
  | 'aborted'
  | 'timeout'
  | 'inactivity'
  | 'turn_limit'
  | 'budget'
  | 'limit'
  | 'storage'
  | 'interrupted'

export interface Ending {
  stop: StopReason | null
  failure: TurnFailure | null
  deniedTools: readonly string[]
  /** What the agent was trying again for when it ended. */
  retrying?: Retrying | null
  /** Questions and approvals nobody answered. */
  openQuestions: readonly string[]
  openApprovals: readonly string[]
  exitCode: number | null
  signal: string | null
  stderr: string
  /** We closed or ended the process after its last turn, so its exit code means nothing. */
  endedByUs: boolean
  spawnFailed?: boolean
}

export interface Verdict {
  outcome: Outcome
  exitReason: ExitReason
  /** The terminal event to show, null for a run without fault. */
  terminal: AgentEventDraft | null
  error: { code: ErrorCode; message: string } | null
}

/** The verdict that a terminal event of a third-party adapter supports. */
export function outcomeOfEvent(event: AgentEventDraft): Outcome {
  switch (event.type) {
    case 'auth_error':
      return { kind: 'auth_required', evidence: event.message }
    case 'context_exceeded':
      return { kind: 'context_exhausted', evidence: `${event.usedTokens} of ${event.maxTokens} tokens` }
    case 'turn_limit':
      return { kind: 'turn_limit', evidence: `limit of ${event.maxTurns} turns` }
    case 'timeout':
      return { kind: 'timed_out', evidence: `${event.kind} timeout` }
    case 'interrupted':
    case 'aborted':
      return { kind: 'cancelled', evidence: event.type }
    case 'crash':
      return { kind: 'crashed', evidence: `exit code ${event.exitCode}` }
    case 'error':
      return outcomeOfCode(event.code, event.message)
    default:
      return { kind: 'failed', code: 'INTERNAL', evidence: event.type }
  }
}

function outcomeOfCode(code: ErrorCode, evidence: string): Outcome {
  switch (code) {
    case 'AUTH_ERROR':
      return { kind: 'auth_required', evidence }
    case 'RATE_LIMITED':
      return { kind: 'rate_limited', evidence }
    case 'QUOTA_EXHAUSTED':
      return { kind: 'quota_exhausted', evidence }
    case 'CONTEXT_EXCEEDED':
      return { kind: 'context_exhausted', evidence }
    case 'TIMEOUT':
    case 'INACTIVITY_TIMEOUT':
      return { kind: 'timed_out', evidence }
    case 'AGENT_CRASH':
    case 'SPAWN_ERROR':
      return { kind: 'crashed', evidence }
    case 'PROTOCOL_DRIFT':
      return { kind: 'protocol_drift', evidence }
    default:
      return { kind: 'failed', code, evidence }
  }
}

const EXIT_REASON: Partial<Record<Outcome['kind'], ExitReason>> = {
  completed: 'completed',
  permission_blocked: 'completed',
  question_unanswered: 'completed',
  turn_limit: 'turn_limit',
  cancelled: 'interrupted',
  timed_out: 'timeout',
}

const ERROR_OF_OUTCOME: Partial<Record<Outcome['kind'], ErrorCode>> = {
  auth_required: 'AUTH_ERROR',
  quota_exhausted: 'QUOTA_EXHAUSTED',
  rate_limited: 'RATE_LIMITED',
  context_exhausted: 'CONTEXT_EXCEEDED',
  budget_exceeded: 'BUDGET_EXCEEDED',
  output_invalid: 'OUTPUT_INVALID',
  cancelled: 'ABORTED',
  timed_out: 'TIMEOUT',
  crashed: 'AGENT_CRASH',
  protocol_drift: 'PROTOCOL_DRIFT',
}

export function errorCodeOfOutcome(outcome: Outcome): ErrorCode | undefined {
  return outcome.kind === 'failed' ? outcome.code : ERROR_OF_OUTCOME[outcome.kind]
}

function verdict(outcome: Outcome, terminal: AgentEventDraft | null, exitReason?: ExitReason): Verdict {
  const code = errorCodeOfOutcome(outcome)
  return {
    outcome,
    terminal,
    exitReason: exitReason ?? EXIT_REASON[outcome.kind] ?? 'crashed',
    error: code === undefined ? null : { code, message: outcome.evidence ?? outcome.kind },
  }
}

type Interactions = Pick<Ending, 'openQuestions' | 'openApprovals' | 'deniedTools'>

/** How a turn ended after which the run goes on. Null: it completed. */
export function outcomeOfTurn({
  failure,
  wasInterrupted,
  ...reported
}: Interactions & { failure: Outcome | null; wasInterrupted: boolean }): Outcome | null {
  const isInterrupt = wasInterrupted && (failure === null || failure.kind === 'cancelled' || failure.kind === 'crashed')
  if (isInterrupt) return { kind: 'cancelled', evidence: 'interrupted by the caller' }
  return failure ?? judgeInteractions(reported)?.outcome ?? null
}

/** One pure rule for how a run ended, in order of what weighs most. */
export function judge(ending: Ending): Verdict {
  return (
    judgeStop(ending) ??
    judgeRetrying(ending) ??
    judgeFailure(ending) ??
    judgeInteractions(ending) ??
    judgeExit(ending) ??
    judgeSilence(ending) ??
    verdict({ kind: 'completed' }, null)
  )
}

/** How a turn ended that we stopped for this reason, whatever the agent then calls it. */
export function outcomeOfStop(stop: StopReason, failure: TurnFailure | null): Outcome | null {
  return judgeStop({ stop, failure })?.outcome ?? null
}

function judgeStop({ stop, failure }: Pick<Ending, 'stop' | 'failure'>): Verdict | null {
  switch (stop) {
    case 'aborted':
      return verdict(abortOutcome(failure), { type: 'aborted' }, 'aborted')
    case 'interrupted':
      return verdict({ kind: 'cancelled', evidence: 'interrupted by the caller' }, { type: 'interrupted' })
    case 'timeout':
      return verdict({ kind: 'timed_out', evidence: 'the run took too long' }, { type: 'timeout', kind: 'run' })
    case 'inactivity': {
      const outcome: Outcome = { kind: 'timed_out', evidence: 'no output for too long' }
      const result = verdict(outcome, { type: 'timeout', kind: 'inactivity' }, 'inactivity')
      return { ...result, error: { code: 'INACTIVITY_TIMEOUT', message: outcome.evidence } }
    }
    case 'turn_limit':
    case 'budget':
    case 'limit':
    case 'storage':
      return failure ? verdict(failure.outcome, failure.event) : null
    default:
      return null
  }
}

/** With the reason, where the caller gave one. What failed in a turn before that does not count. */
function abortOutcome(failure: TurnFailure | null): Outcome {
  const isReason = failure?.event.type === 'aborted' && failure.outcome.kind === 'cancelled'
  return isReason ? failure.outcome : { kind: 'cancelled', evidence: 'aborted by the caller' }
}

function judgeFailure({ failure, signal, exitCode, endedByUs, spawnFailed }: Ending): Verdict | null {
  if (!failure) return null
  const { event, outcome } = failure
  // What is missing of ours has a code of its own.
  if (spawnFailed && outcome.kind === 'crashed') {
    return { ...verdict(outcome, event), error: { code: 'SPAWN_ERROR', message: outcome.evidence ?? '' } }
  }
  const isKilled =
    (outcome.kind === 'cancelled' && (signal !== null || (exitCode ?? 0) > 128)) ||
    (outcome.kind === 'crashed' && signal !== null && !endedByUs)
  return verdict(outcome, event, isKilled ? 'killed' : undefined)
}

const ENDED_FROM_OUTSIDE: ReadonlySet<string | number | null> = new Set(['SIGKILL', 'SIGTERM', 137, 143])

/** Somebody lost patience with an agent that tried again and again: what it tried in vain for is the reason. */
function judgeRetrying({ retrying, failure, signal, exitCode, endedByUs }: Ending): Verdict | null {
  if (!retrying || endedByUs || (failure !== null && failure.outcome.kind !== 'cancelled')) return null
  if (!ENDED_FROM_OUTSIDE.has(signal) && !ENDED_FROM_OUTSIDE.has(exitCode)) return null
  return verdictOfRetrying(retrying, 'killed')
}

/** It said that it tries again, and left without another word: it tried in vain, whatever it exits with. */
function judgeSilence({ retrying, endedByUs }: Ending): Verdict | null {
  return retrying?.isTryingAgain && !endedByUs ? verdictOfRetrying(retrying) : null
}

function verdictOfRetrying({ kind, reason, retryAfterMs }: Retrying, exitReason?: ExitReason): Verdict | null {
  for (const effect of failTurn(kind, { message: reason, retryAfterMs })) {
    if ('fail' in effect) return verdict(effect.fail.outcome, effect.fail.event, exitReason)
  }
  return null
}

function judgeInteractions({ openQuestions, openApprovals, deniedTools }: Interactions): Verdict | null {
  if (openQuestions[0] !== undefined) {
    return verdict({ kind: 'question_unanswered', evidence: openQuestions[0] }, null)
  }
  const blocked = [...new Set([...deniedTools, ...openApprovals])]
  if (blocked.length === 0) return null
  const evidence = `denied: ${blocked.join(', ')}`
  return verdict({ kind: 'permission_blocked', evidence, tools: blocked }, null)
}

const STOP_SIGNALS: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP'])

function judgeExit({ exitCode, signal, stderr, endedByUs }: Ending): Verdict | null {
  if (endedByUs || (exitCode === 0 && signal === null)) return null
  const byWhat = signal === null ? `exit code ${exitCode}` : `signal ${signal}`
  // Who is killed so has no time for a last word.
  const lastLine = signal === 'SIGKILL' ? '' : tellingLine(stderr)
  const evidence = lastLine === '' ? byWhat : `${byWhat}: ${lastLine.slice(0, 300)}`
  const crash: AgentEventDraft = { type: 'crash', exitCode: exitCode ?? -1, stderr }
  if (signal !== null && STOP_SIGNALS.has(signal)) {
    return verdict({ kind: 'cancelled', evidence: `ended from outside by ${signal}` }, crash, 'killed')
  }
  return verdict({ kind: 'crashed', evidence }, crash, signal === null ? 'crashed' : 'killed')
}
