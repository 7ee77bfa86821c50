import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, sessionOpened } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import { profile } from './profile.ts'
import type { DialogueState } from './state.ts'
import { TOOLS } from './tools.ts'

/** A record of `hermes chat --format stream-json`. */
export function streamRecord(state: DialogueState, record: JsonRecord): Effect[] {
  switch (record.type) {
    case 'text': {
      state.hasText = true
      return [{ emit: { type: 'text_delta', delta: textOf(record.text) } }]
    }
    case 'system':
      return sessionStart(state, record)
    case 'tool_use':
      return toolUse(state, record)
    case 'tool_result':
      return toolResult(state, record)
    case 'result':
      return result(state, record)
    default:
      return [{ unrecognized: asString(record.type) ?? 'record' }]
  }
}

function sessionStart(state: DialogueState, record: JsonRecord): Effect[] {
  if (record.subtype !== 'init') return NO_EFFECTS
  state.model = asString(record.model)
  return sessionOpened(state.options, asString(record.session_id) ?? '', state.model)
}

function toolUse(state: DialogueState, record: JsonRecord): Effect[] {
  const toolName = asString(record.name) ?? ''
  state.callCount += 1
  const toolCallId = asString(record.tool_call_id) ?? `call-${state.callCount}`
  const call: ToolCall = { toolCallId, toolName, input: record.input ?? {} }
  state.calls.set(asString(record.tool_call_id) ?? toolName, call)
  return toolReady(TOOLS, call, state.options.cwd ?? '')
}

function toolResult(state: DialogueState, record: JsonRecord): Effect[] {
  const key = asString(record.tool_call_id) ?? asString(record.name) ?? ''
  const call = state.calls.get(key)
  if (!call) return NO_EFFECTS
  state.calls.delete(key)
  const output = textOf(record.output)
  return toolDone(TOOLS, call, { output, stdout: output, error: record.is_error === true ? output : undefined })
}

function result(state: DialogueState, record: JsonRecord): Effect[] {
  state.settled = true
  const text = asString(record.text) ?? ''
  const message = textOf(record.error)
  const effects: Effect[] = []
  if (!state.hasText && text !== '') effects.push({ emit: { type: 'text_delta', delta: text } })
  effects.push(...usage(state, asRecord(record.tokens)))
  if (record.exit_code === 130) effects.push(...failTurn('cancelled', { message: 'The turn was interrupted.' }))
  else if (message !== '' || (asNumber(record.exit_code) ?? 0) !== 0) {
    const kind = decideFailure({ words: message })
    effects.push(...failTurn(kind, { message: message || 'The turn failed.', guidance: profile.guidance }))
  }
  return [...effects, { emit: { type: 'turn_end' } }]
}

/** The total shows whether the cached tokens are counted in the input. */
function usage({ model }: DialogueState, tokens: JsonRecord | undefined): Effect[] {
  const input = asNumber(tokens?.input) ?? 0
  const outputTokens = asNumber(tokens?.output) ?? 0
  if (input + outputTokens === 0) return NO_EFFECTS
  const cacheReadTokens = asNumber(tokens?.cache_read) ?? 0
  const cacheCreationTokens = asNumber(tokens?.cache_write) ?? 0
  const isNet = (asNumber(tokens?.total) ?? 0) > input + outputTokens
  const inputTokens = isNet ? input + cacheReadTokens + cacheCreationTokens : input
  const cached = { cacheReadTokens, cachedTokens: cacheReadTokens, cacheCreationTokens }
  return [{ emit: { type: 'token_usage', inputTokens, outputTokens, ...cached, model } }]
}
