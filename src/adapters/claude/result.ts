import type { Effect } from '../../contract/dialogue.ts'
import {
  classifyFailure,
  type FailureDetail,
  type FailureKind,
  failTurn,
  failureFromStatus,
} from '../../core/failures.ts'
import { asArray, asNumber, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { addUsage } from '../../core/usage.ts'
import { wholeMessage } from './content.ts'
import { denial } from './control.ts'
import { type DialogueState, NO_EFFECTS } from './state.ts'
import { LOGIN_GUIDANCE } from './system.ts'
import { QUESTION_TOOL } from './tools.ts'
import { costRecord, readModelCounts } from './usage.ts'

/** The agent hands back. `subtype` says "success" even when the API failed: only `is_error` can be trusted. */
export function resultRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const text = asString(record.result) ?? ''
  const failed = record.is_error === true
  const effects: Effect[] = []
  // The answer of a slash command or of a schema comes only here.
  if (!failed && text !== '' && !state.textSeen) effects.push(...wholeMessage(state, text))
  if (record.structured_output !== undefined) effects.push({ structuredOutput: record.structured_output })
  if (!isAborted(record)) effects.push(...unreportedDenials(state, record))
  effects.push(...usageEffects(state, record))
  if (failed) effects.push(...failure(state, record))
  effects.push({ emit: { type: 'turn_end' } })
  return effects
}

function isAborted(record: JsonRecord): boolean {
  return record.terminal_reason === 'aborted_streaming' || record.terminal_reason === 'aborted_tools'
}

/** Denials by rules or hooks that no record told of. */
function unreportedDenials(state: DialogueState, record: JsonRecord): Effect[] {
  return asRecords(record.permission_denials).flatMap((denied) => {
    const toolName = asString(denied.tool_name) ?? ''
    if (toolName === QUESTION_TOOL) return NO_EFFECTS
    return denial(state, { toolCallId: asString(denied.tool_use_id) ?? '', toolName, input: denied.tool_input })
  })
}

const COUNTERS = [
  'inputTokens',
  'outputTokens',
  'thinkingTokens',
  'cacheReadInputTokens',
  'cacheCreationInputTokens',
  'costUSD',
]

function difference(now: JsonRecord, before: JsonRecord): JsonRecord {
  const parts = COUNTERS.map((name) => [name, (asNumber(now[name]) ?? 0) - (asNumber(before[name]) ?? 0)])
  return { ...now, ...Object.fromEntries(parts) }
}

/**
 * What each model used in this turn. `modelUsage` and `total_cost_usd` count from the start of the session, earlier
 * processes included; older versions have nothing else, and then only a new session can be told apart.
 */
function turnUsage(state: DialogueState, record: JsonRecord): JsonRecord {
  const turn = asRecord(record.model_usage_since_last_result)
  if (turn) return turn
  const totals = asRecord(record.modelUsage) ?? {}
  const isNew = state.options.sessionId === undefined && state.options.forkSessionId === undefined
  const before = state.modelTotals ?? (isNew ? {} : totals)
  state.modelTotals = totals
  const models = Object.entries(totals).map(([model, usage]) => [
    model,
    difference(asRecord(usage) ?? {}, asRecord(before[model]) ?? {}),
  ])
  return Object.fromEntries(models)
}

function usageEffects(state: DialogueState, record: JsonRecord): Effect[] {
  const effects: Effect[] = []
  for (const [model, value] of Object.entries(turnUsage(state, record))) {
    const usage = asRecord(value) ?? {}
    const counts = readModelCounts(usage)
    if (counts.inputTokens + counts.outputTokens === 0) continue
    // For a model it does not know the CLI charges the price of another.
    const costUsd = usage.costBasis === 'unknown' ? undefined : asNumber(usage.costUSD)
    state.usage = addUsage(state.usage, counts)
    if (costUsd !== undefined) state.costUsd = (state.costUsd ?? 0) + costUsd
    effects.push({ emit: { type: 'token_usage', ...counts, model, costUsd } })
  }
  if (state.costUsd !== null) effects.push({ emit: { type: 'cost', cost: costRecord(state.costUsd, state.usage) } })
  return effects
}

const KIND_BY_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ['authentication_failed', 'auth'],
  ['billing_error', 'quota'],
  ['rate_limit', 'rate_limit'],
  ['model_not_found', 'model_not_found'],
  ['server_error', 'server'],
  ['overloaded', 'overloaded'],
  ['invalid_request', 'invalid_request'],
])

function failureKind(state: DialogueState, record: JsonRecord, message: string): FailureKind {
  if (isAborted(record)) return 'cancelled'
  if (record.subtype === 'error_max_turns') return 'turn_limit'
  if (record.subtype === 'error_max_budget_usd') return 'budget'
  if (record.terminal_reason === 'prompt_too_long') return 'context'
  if (record.stop_reason === 'refusal') return 'refusal'
  if (message.startsWith('No conversation found')) return 'session_not_found'
  if (state.quotaResetAt !== null) return 'quota'
  if (record.api_error === 'connection_failed') return 'network'
  const byCode = KIND_BY_CODE.get(state.apiError?.code ?? '')
  // A used-up plan has the code of a rate limit, and a wrong request may be anything.
  const byText = byCode === undefined || byCode === 'rate_limit' || byCode === 'invalid_request'
  const told = byText ? classifyFailure(message) : 'unknown'
  if (byCode === 'rate_limit') return told === 'quota' ? 'quota' : 'rate_limit'
  if (byCode === 'invalid_request') return told === 'unknown' ? 'invalid_request' : told
  return byCode ?? failureFromStatus(asNumber(record.api_error_status)) ?? told
}

const TOKENS = /~?(\d+) tokens \(limit (\d+)\)/

function failure(state: DialogueState, record: JsonRecord): Effect[] {
  const errors = asArray(record.errors).map(textOf).join('; ')
  const told = asString(record.result) || state.apiError?.text || errors || textOf(record.subtype)
  const kind = failureKind(state, record, told)
  const detail: FailureDetail = { message: kind === 'cancelled' ? 'The turn was interrupted.' : told }
  if (kind === 'auth') detail.guidance = LOGIN_GUIDANCE
  if (kind === 'turn_limit') detail.maxTurns = state.options.maxTurns
  if (kind === 'quota') detail.resetAt = state.quotaResetAt || undefined
  if (kind === 'context') {
    const [, used, limit] = TOKENS.exec(told) ?? []
    detail.usedTokens = Number(used ?? 0)
    detail.maxTokens = Number(limit ?? 0)
  }
  return failTurn(kind, detail)
}
