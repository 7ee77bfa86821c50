import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../../core/effects.ts'
import { decideFailure, saysSpent } from '../../../core/failure-codes.ts'
import { type FailureDetail, type FailureKind, failTurn } from '../../../core/failures.ts'
import { asArray, asNumber, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../../core/json.ts'
import { subagentOf } from '../../kit/tools.ts'
import { wholeMessage } from './content.ts'
import { denial } from './control.ts'
import type { DialogueState } from './state.ts'
import { resultUsage, unreportedUsage } from './usage.ts'

/** The agent hands back. `subtype` says "success" even when the API failed: only `is_error` can be trusted. */
export function resultRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const { dialect } = state
  const text = asString(record.result) ?? ''
  const failed = record.is_error === true
  const structured = record[dialect.structuredField]
  const effects = sessionOf(state, record)
  // The answer of a slash command or of a schema comes only here.
  if (!failed && text !== '' && !state.textSeen) effects.push(...wholeMessage(state, text))
  if (structured !== undefined) effects.push({ structuredOutput: structured })
  const verdict = failed ? verdictOf(state, record) : undefined
  if (verdict !== 'cancelled') effects.push(...unreportedDenials(state, record))
  if (dialect.usage !== 'messages') effects.push(...resultUsage(state, record))
  if (dialect.resultHasTotals) effects.push(...unreportedUsage(state, record))
  if (failed) effects.push(...failure(state, record, verdict))
  effects.push({ emit: { type: 'turn_end' } })
  return effects
}

/**
 * The end of a sub-agent that failed, which looks like that of a failed turn but for its counts: there are none. Null: the
 * turn itself has ended. The call that started the sub-agent gets an ordinary answer.
 */
export function subagentResult(state: DialogueState, record: JsonRecord): Effect[] | null {
  if (record.is_error !== true || record.duration_ms !== 0 || record.num_turns !== 0) return null
  const running = [...state.calls.values()].filter((call) => subagentOf(state.dialect.tools, call) !== null)
  const [call] = running
  const subagent = call && subagentOf(state.dialect.tools, call)
  if (!call || !subagent) return null
  const error = messageOf(state, record)
  // Of several that run side by side nothing says which one it was.
  if (running.length > 1) return [warning(`A sub-agent failed: ${error}`)]
  call.inBackground = true
  return [{ emit: { type: 'subagent_error', ...subagent, error } }]
}

/** A result that is alone names the session itself. */
function sessionOf(state: DialogueState, record: JsonRecord): Effect[] {
  const sessionId = asString(record.session_id) ?? ''
  if (state.sessionId !== '' || sessionId === '' || record.is_error === true) return []
  state.sessionId = sessionId
  const resumed = state.options.sessionId !== undefined
  return [{ emit: { type: 'session_start', sessionId, resumed } }, { emit: { type: 'turn_start' } }]
}

/** Denials by rules or hooks that no record reported. */
function unreportedDenials(state: DialogueState, record: JsonRecord): Effect[] {
  return asRecords(record.permission_denials).flatMap((denied) => {
    const toolName = asString(denied.tool_name) ?? ''
    if (toolName === state.dialect.questionTool) return NO_EFFECTS
    return denial(state, { toolCallId: asString(denied.tool_use_id) ?? '', toolName, input: denied.tool_input })
  })
}

/** What a failed turn is said to have failed of. */
function messageOf({ apiError }: DialogueState, record: JsonRecord): string {
  const errors = asArray(record.errors).map(textOf).join('; ')
  const error = asString(asRecord(record.error)?.message) ?? asString(record.error)
  return asString(record.result) || apiError?.text || errors || error || textOf(record.subtype)
}

/** The cause, where the dialect has a name for it. */
function verdictOf(state: DialogueState, record: JsonRecord): FailureKind | undefined {
  const { verdicts, failureWords } = state.dialect
  const byField = verdicts.find(({ field, value }) => record[field] === value)
  if (byField) return byField.kind
  const message = messageOf(state, record)
  return failureWords.find(({ pattern }) => pattern.test(message))?.kind
}

function failureKind(
  state: DialogueState,
  record: JsonRecord,
  verdict: FailureKind | undefined,
  message: string,
): FailureKind {
  // A plan that is used up explains a lost connection, too.
  if (state.quotaResetAt !== null && (verdict === undefined || verdict === 'network')) return 'quota'
  if (verdict !== undefined) return verdict
  const byCode = state.dialect.errorCodes.get(state.apiError?.code ?? '')
  // A used-up plan has the code of a rate limit or of a wrong key, and a wrong request may be anything.
  if (byCode === 'rate_limit' || byCode === 'auth') return saysSpent(message) ? 'quota' : byCode
  if (byCode !== undefined && byCode !== 'invalid_request') return byCode
  const reported = decideFailure({
    status: asNumber(record.api_error_status) ?? statusIn(state, message),
    words: message,
  })
  return reported === 'unknown' ? (byCode ?? reported) : reported
}

function statusIn({ dialect }: DialogueState, message: string): number | undefined {
  const status = dialect.errorText?.exec(message)?.[1]
  return status === undefined ? undefined : Number(status)
}

const TOKENS = /~?(\d+) tokens \(limit (\d+)\)/

function failure(state: DialogueState, record: JsonRecord, verdict: FailureKind | undefined): Effect[] {
  const reported = messageOf(state, record)
  const kind = failureKind(state, record, verdict, reported)
  const detail: FailureDetail = { message: kind === 'cancelled' ? 'The turn was interrupted.' : reported }
  if (kind === 'auth') detail.guidance = state.dialect.guidance
  if (kind === 'turn_limit') detail.maxTurns = state.options.maxTurns
  if (kind === 'quota') detail.resetAt = state.quotaResetAt || undefined
  if (kind === 'context') {
    const [, used, limit] = TOKENS.exec(reported) ?? []
    detail.usedTokens = Number(used ?? 0)
    detail.maxTokens = Number(limit ?? 0)
  }
  return failTurn(kind, detail)
}
