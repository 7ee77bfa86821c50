import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, withdrawResponse } from '../../../core/effects.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord } from '../../../core/json.ts'
import { replyFailure } from './failure.ts'
import { type DialogueState, forgetReply } from './state.ts'
import { toolNameOf } from './tool-name.ts'
import { usageEffects } from './usage.ts'

/** One piece of a reply. Ends of blocks come late, when the next one has begun already, so the beginnings count. */
export function messageUpdate(state: DialogueState, record: JsonRecord): Effect[] {
  const event = asRecord(record.assistantMessageEvent) ?? {}
  const index = asNumber(event.contentIndex) ?? 0
  const delta = asString(event.delta) ?? ''
  switch (event.type) {
    case 'text_delta':
      return textDelta(state, index, delta)
    case 'thinking_delta':
      return thinkingDelta(state, index, delta)
    case 'toolcall_start':
      return callStart(state, index, findCall(record, event, index))
    case 'toolcall_delta': {
      const toolCallId = state.callIds.get(index)
      if (toolCallId === undefined || delta === '') return NO_EFFECTS
      return [{ emit: { type: 'tool_input_delta', toolCallId, delta } }]
    }
    case 'image_end':
      return imageOf(state, index, asRecord(event.content) ?? {})
    case 'toolcall_end':
      return callEnd(state, index, asRecord(event.toolCall) ?? {})
    case 'text_start':
    case 'text_end':
    case 'thinking_start':
    case 'thinking_end':
    case 'start':
    case 'done':
    case 'error':
      return NO_EFFECTS
    default:
      return [{ unrecognized: `message_update/${asString(event.type) ?? ''}` }]
  }
}

/** What a command of the CLI says, where no model was asked. */
export function wholeText(state: DialogueState, text: string): Effect[] {
  const effects = textDelta(state, 0, text)
  forgetReply(state)
  return [...effects, { emit: { type: 'message_stop', text: '' } }]
}

function textDelta(state: DialogueState, index: number, delta: string): Effect[] {
  state.streamed.add(index)
  state.openBlock = 'text'
  return delta === '' ? NO_EFFECTS : [{ emit: { type: 'text_delta', delta } }]
}

function thinkingDelta(state: DialogueState, index: number, delta: string): Effect[] {
  state.streamed.add(index)
  if (delta === '') return NO_EFFECTS
  state.openBlock = 'thinking'
  return [{ emit: { type: 'thinking_delta', delta } }]
}

function imageOf(state: DialogueState, index: number, { data, mimeType }: JsonRecord): Effect[] {
  state.streamed.add(index)
  return [{ emit: { type: 'image_output', mimeType: asString(mimeType) ?? 'image/png', base64: asString(data) } }]
}

/** Since 1.0 the event names the call; before, the whole reply so far is beside it; or it waits for the end. */
function findCall(record: JsonRecord, event: JsonRecord, index: number): JsonRecord {
  if (event.id !== undefined) return { id: event.id, name: event.toolName }
  const message = asRecord(event.partial) ?? asRecord(record.message)
  return asRecords(message?.content)[index] ?? {}
}

function callStart(state: DialogueState, index: number, call: JsonRecord): Effect[] {
  const toolCallId = asString(call.id)
  const toolName = toolNameOf(state, asString(call.name) ?? '')
  if (!toolCallId || !toolName || state.calls.has(toolCallId)) return NO_EFFECTS
  state.openBlock = null
  state.streamed.add(index)
  state.callIds.set(index, toolCallId)
  state.calls.set(toolCallId, { toolCallId, toolName, input: undefined, shown: '' })
  return [{ emit: { type: 'tool_call_start', toolCallId, toolName } }]
}

function callEnd(state: DialogueState, index: number, native: JsonRecord): Effect[] {
  const effects = callStart(state, index, native)
  const call = state.calls.get(asString(native.id) ?? '')
  if (call) call.input ??= native.arguments
  return effects
}

export function messageStart(state: DialogueState, message: JsonRecord): Effect[] {
  if (message.role !== 'assistant') return NO_EFFECTS
  // The one before has no end.
  const again = state.openBlock === null ? NO_EFFECTS : [withdrawResponse('The reply began again.')]
  forgetReply(state)
  return [...again, ...modelOf(state, message)]
}

function modelOf(state: DialogueState, { model, provider }: JsonRecord): Effect[] {
  state.provider = asString(provider) ?? state.provider
  const reported = asString(model)
  if (reported === undefined || reported === state.model) return NO_EFFECTS
  state.model = reported
  return [{ model: reported }]
}

const FAILED_STOPS: ReadonlySet<unknown> = new Set(['error', 'length'])

/** The whole reply: what of it was not streamed, its counts, and whether it is one at all. */
export function messageEnd(state: DialogueState, message: JsonRecord): Effect[] {
  if (message.role !== 'assistant') return NO_EFFECTS
  const effects = asRecords(message.content).flatMap((block, index) => restOf(state, block, index))
  if (state.openBlock === 'text') effects.push({ emit: { type: 'message_stop', text: '' } })
  if (state.openBlock === 'thinking') effects.push({ emit: { type: 'thinking_stop', thinking: '' } })
  forgetReply(state)
  state.failure = FAILED_STOPS.has(message.stopReason) ? replyFailure(message) : null
  state.aborted = message.stopReason === 'aborted'
  return [...effects, ...modelOf(state, message), ...usageEffects(state, message.usage, asString(message.model))]
}

function restOf(state: DialogueState, block: JsonRecord, index: number): Effect[] {
  if (state.streamed.has(index)) return NO_EFFECTS
  if (block.type === 'text') return textDelta(state, index, asString(block.text) ?? '')
  if (block.type === 'thinking') return thinkingDelta(state, index, asString(block.thinking) ?? '')
  if (block.type === 'image') return imageOf(state, index, block)
  return block.type === 'toolCall' ? callStart(state, index, block) : NO_EFFECTS
}
