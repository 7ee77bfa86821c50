import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { decideFailure, signsIn } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import { profile } from './profile.ts'
import type { DialogueState } from './state.ts'
import { TOOLS } from './tools.ts'

/** A record of `goose run --output-format stream-json`. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'message':
      return message(state, asRecord(record.message) ?? {})
    case 'notification':
      return NO_EFFECTS
    case 'error':
      return failure(state, asString(record.error) ?? 'The turn failed.')
    case 'complete':
      return complete(state, record)
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

/** Pieces of one message have the same id. */
function message(state: DialogueState, native: JsonRecord): Effect[] {
  const id = asString(native.id)
  const effects: Effect[] = []
  if (native.role === 'assistant' && id !== state.messageId && state.messageId !== undefined) {
    effects.push({ emit: { type: 'message_start' } })
  }
  if (native.role === 'assistant') state.messageId = id
  return [...effects, ...asRecords(native.content).flatMap((part) => content(state, part, native.role))]
}

function content(state: DialogueState, part: JsonRecord, role: unknown): Effect[] {
  switch (part.type) {
    case 'text':
      return role === 'assistant' ? [{ emit: { type: 'text_delta', delta: textOf(part.text) } }] : NO_EFFECTS
    case 'thinking':
      return [{ emit: { type: 'thinking_delta', delta: textOf(part.thinking) } }]
    case 'toolRequest':
      return toolRequest(state, part)
    case 'toolResponse':
      return toolResponse(state, part)
    case 'systemNotification':
      return [warning(textOf(part.msg))]
    default:
      return NO_EFFECTS
  }
}

function toolRequest(state: DialogueState, part: JsonRecord): Effect[] {
  const native = asRecord(asRecord(part.toolCall)?.value) ?? {}
  const toolCallId = asString(part.id) ?? ''
  const call: ToolCall = { toolCallId, toolName: asString(native.name) ?? '', input: native.arguments ?? {} }
  state.calls.set(toolCallId, call)
  return toolReady(TOOLS, call, state.options.cwd ?? '')
}

function toolResponse(state: DialogueState, part: JsonRecord): Effect[] {
  const toolCallId = asString(part.id) ?? ''
  const call = state.calls.get(toolCallId)
  if (!call) return NO_EFFECTS
  state.calls.delete(toolCallId)
  const native = asRecord(part.toolResult) ?? {}
  const value = asRecord(native.value)
  const output = textOf(value?.content ?? native.value)
  const isError = native.status === 'error' || value?.isError === true
  const error = isError ? asString(native.error) || output || 'The call failed.' : undefined
  return toolDone(TOOLS, call, { output, stdout: output, error })
}

function failure(state: DialogueState, message: string): Effect[] {
  state.settled = true
  const kind = decideFailure({ ...signsIn(parseRecord(message)), words: message })
  return failTurn(kind, { message, guidance: kind === 'auth' ? profile.guidance : undefined })
}

/** Older versions tell the total alone, which cannot be split. */
function complete(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const inputTokens = asNumber(record.input_tokens)
  const outputTokens = asNumber(record.output_tokens)
  const turnEnd: Effect = { emit: { type: 'turn_end' } }
  if (inputTokens === undefined || outputTokens === undefined) return [turnEnd]
  const cacheReadTokens = asNumber(record.cache_read_input_tokens) ?? 0
  const cacheCreationTokens = asNumber(record.cache_write_input_tokens) ?? 0
  const counts = { inputTokens, outputTokens, cacheReadTokens, cachedTokens: cacheReadTokens, cacheCreationTokens }
  const totalUsd = asNumber(record.cost_usd)
  const cost: Effect[] =
    totalUsd === undefined
      ? []
      : [{ emit: { type: 'cost', cost: { totalUsd, ...counts, thinkingTokens: 0, source: 'agent' } } }]
  return [{ emit: { type: 'token_usage', ...counts, model: state.options.model } }, ...cost, turnEnd]
}
