import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { decideFailure, saysSpent } from '../../core/failure-codes.ts'
import { type FailureKind, failTurn } from '../../core/failures.ts'
import { asRecord, type JsonRecord, textOf } from '../../core/json.ts'
import { userMessage } from './rpc.ts'
import { type DialogueState, forgetTurn } from './state.ts'
import { turnUsage } from './usage.ts'

export const GUIDANCE = 'Set FACTORY_API_KEY, or run `droid` and log in.'

/** Null: no failure. Undefined: the error's own words tell. */
const REASONS: Readonly<Record<string, FailureKind | null>> = {
  completed: null,
  spec_handoff: null,
  // The denial was reported with its call.
  permission_rejected: null,
  no_approver_available: null,
  cancelled: 'cancelled',
  model_usage_exhausted: 'quota',
  model_authentication_failed: 'auth',
  model_provider_unreachable: 'network',
  model_provider_unavailable: 'server',
  prompt_rejected: 'refusal',
  structured_output_schema_invalid: 'invalid_request',
}

const BROKEN_OUTPUT = /^structured_output_(?:invalid|missing)$/

function failureKind({ options }: DialogueState, reason: string, message: string): FailureKind | null {
  // Where we have asked for a schema the engine looks at the answer, and asks for a better one.
  if (BROKEN_OUTPUT.test(reason)) return options.outputSchema ? null : 'output_invalid'
  const known = REASONS[reason]
  if (known !== undefined) return known
  const reported = decideFailure({ words: message })
  if (reason === 'model_rate_limited') return reported === 'quota' && saysSpent(message) ? 'quota' : 'rate_limit'
  if (reason === 'model_request_rejected' && reported === 'unknown') return 'invalid_request'
  return reported
}

export function failure(kind: FailureKind, message: string): Effect[] {
  return failTurn(kind, kind === 'auth' ? { message, guidance: GUIDANCE } : { message })
}

/** The turn is over, in the JSON-RPC form or in `stream-json`. */
export function turnEnded(state: DialogueState, counts: JsonRecord, reason: string, session?: JsonRecord): Effect[] {
  const kind = failureKind(state, reason, state.lastError)
  const message = kind === 'cancelled' ? 'The turn was interrupted.' : state.lastError || reason
  const effects: Effect[] = [
    ...turnUsage(state, counts, session),
    ...(kind === null ? NO_EFFECTS : failure(kind, message)),
    { emit: { type: 'turn_end' } },
  ]
  forgetTurn(state)
  return effects
}

export function turnCompleted(state: DialogueState, note: JsonRecord): Effect[] {
  const session = asRecord(note.cumulativeTokenUsage)
  const effects = turnEnded(state, asRecord(note.tokenUsage) ?? {}, textOf(note.reason), session)
  const next = state.queued.shift()
  if (next !== undefined) {
    state.busy = true
    effects.push(userMessage(state, next))
  }
  return effects
}
