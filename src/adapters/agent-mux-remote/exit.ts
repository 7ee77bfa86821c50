import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import { ERROR_CODES, type ErrorCode } from '../../contract/errors.ts'
import type { Outcome, OutcomeKind } from '../../contract/outcome.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asString, isRecord, type JsonRecord } from '../../core/json.ts'
import { endWithoutResult } from '../kit/one-way.ts'
import type { DialogueState } from './state.ts'

/** What the same events lead to on this side, too. */
const TOLD_BY_EVENTS = ['completed', 'permission_blocked', 'question_unanswered'] as const

const KINDS: ReadonlySet<unknown> = new Set<OutcomeKind>([
  ...TOLD_BY_EVENTS,
  ...(['auth_required', 'quota_exhausted', 'rate_limited', 'context_exhausted', 'turn_limit'] as const),
  ...(['budget_exceeded', 'output_invalid', 'cancelled', 'timed_out', 'crashed', 'protocol_drift', 'failed'] as const),
])

function isErrorCode(value: unknown): value is ErrorCode {
  return ERROR_CODES.some((code) => code === value)
}

function isOutcome(value: unknown): value is Outcome {
  if (!isRecord(value) || !KINDS.has(value.kind)) return false
  if (value.kind === 'failed' && !isErrorCode(value.code)) return false
  return value.kind === 'completed' || typeof value.evidence === 'string'
}

/** How the run over there has ended is how ours has. */
export function exitEffects({ result, refusal, terminal }: DialogueState, exit: DialogueExit): Effect[] {
  if (refusal) return refusedTurn(refusal)
  if (result && isOutcome(result.outcome)) return verdict(result.outcome, terminal)
  if (terminal) return [{ emit: terminal }]
  return endWithoutResult({ displayName: 'The other agent-mux' }, exit)
}

function verdict(outcome: Outcome, terminal: DialogueState['terminal']): Effect[] {
  const { kind, evidence = kind } = outcome
  if (TOLD_BY_EVENTS.some((one) => one === kind)) return NO_EFFECTS
  const code = outcome.kind === 'failed' ? outcome.code : 'INTERNAL'
  const transient = kind === 'rate_limited' || code === 'MODEL_ERROR'
  return [
    { fail: { event: terminal ?? { type: 'error', code, message: evidence, recoverable: false }, outcome, transient } },
  ]
}

export function refusedTurn(error: JsonRecord): Effect[] {
  const code = isErrorCode(error.code) ? error.code : 'INTERNAL'
  const message = asString(error.message) ?? 'The other agent-mux refused the run.'
  return [
    {
      fail: {
        event: { type: 'error', code, message, recoverable: false },
        outcome: { kind: 'failed', code, evidence: message },
      },
    },
  ]
}
