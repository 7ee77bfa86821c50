import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import { profile } from './profile.ts'
import type { DialogueState } from './state.ts'
import { readCall, TOOLS, toolOutcome } from './tools.ts'

/** A record of `--output-format stream-json`: like those of Claude Code, but for the calls of tools. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'assistant':
      return assistant(state, record)
    case 'thinking':
      return thinking(record)
    case 'tool_call':
      return toolCall(state, record)
    case 'system':
      return sessionStart(state, record)
    case 'user':
    case 'interaction_query':
    case 'retry':
    case 'connection':
      return NO_EFFECTS
    case 'result':
      return result(state, record)
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

function sessionStart(state: DialogueState, record: JsonRecord): Effect[] {
  if (record.subtype !== 'init') return NO_EFFECTS
  state.cwd = asString(record.cwd) ?? state.cwd
  state.model = asString(record.model)
  return sessionOpened(state.options, asString(record.session_id) ?? '', state.model)
}

/** A piece has a time; with the id of a call of the model, or without a time, it is the message as a whole. */
function assistant(state: DialogueState, record: JsonRecord): Effect[] {
  const text = textOf(asRecord(record.message)?.content)
  const isPiece = record.timestamp_ms !== undefined && record.model_call_id === undefined
  if (!isPiece && state.isStreaming) {
    state.isStreaming = false
    return [{ emit: { type: 'message_stop', text } }]
  }
  if (text === '') return NO_EFFECTS
  state.isStreaming = isPiece
  state.hasText = true
  const delta: Effect = { emit: { type: 'text_delta', delta: text } }
  return isPiece ? [delta] : [delta, { emit: { type: 'message_stop', text } }]
}

function thinking({ subtype, text }: JsonRecord): Effect[] {
  return subtype === 'delta' ? [{ emit: { type: 'thinking_delta', delta: textOf(text) } }] : NO_EFFECTS
}

function toolCall(state: DialogueState, record: JsonRecord): Effect[] {
  const toolCallId = asString(record.call_id) ?? ''
  const { toolName, input, result } = readCall(asRecord(record.tool_call) ?? {})
  const known = state.calls.get(toolCallId)
  const call: ToolCall = known ?? { toolCallId, toolName, input }
  const effects = known ? [] : toolReady(TOOLS, call, state.cwd)
  if (record.subtype !== 'completed') {
    state.calls.set(toolCallId, call)
    return effects
  }
  state.calls.delete(toolCallId)
  const outcome = toolOutcome(result)
  const denial = 'rejected' in result ? ownDenial(call, outcome.error ?? '') : NO_EFFECTS
  return [...effects, ...denial, ...toolDone(TOOLS, call, outcome)]
}

function result(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const text = asString(record.result) ?? ''
  const effects: Effect[] = [...usage(state, asRecord(record.usage))]
  if (record.is_error === true) {
    const kind = decideFailure({ words: text })
    effects.push(...failTurn(kind, { message: text || 'The turn failed.', guidance: profile.guidance }))
  } else if (!state.hasText && text !== '') effects.unshift({ emit: { type: 'text_delta', delta: text } })
  return [...effects, { emit: { type: 'turn_end' } }]
}

function usage({ model }: DialogueState, native: JsonRecord | undefined): Effect[] {
  if (native === undefined) return NO_EFFECTS
  const cacheReadTokens = asNumber(native.cacheReadTokens) ?? 0
  const cacheCreationTokens = asNumber(native.cacheWriteTokens) ?? 0
  const inputTokens = (asNumber(native.inputTokens) ?? 0) + cacheReadTokens + cacheCreationTokens
  const outputTokens = asNumber(native.outputTokens) ?? 0
  const cached = { cacheReadTokens, cachedTokens: cacheReadTokens, cacheCreationTokens }
  return [{ emit: { type: 'token_usage', inputTokens, outputTokens, ...cached, model } }]
}
