import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { TOOLS, toolName, toolOutcome, wasDenied } from '../families/opencode/tools.ts'
import { stepEnd, stepStart, stepUsage } from '../families/opencode/usage.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import type { DialogueState, TextPart } from './state.ts'

/** Parts of messages that say nothing, or nothing that is not reported in another way. */
const SILENT: ReadonlySet<unknown> = new Set([
  'snapshot',
  'patch',
  'file',
  'agent',
  'subtask',
  'retry',
  // That the context is to be compacted. That it was, is an event of the session.
  'compaction',
])

/** A part of a message, as it is now. `parent` is the call of the sub-agent that it belongs to. */
export function partUpdated(state: DialogueState, part: JsonRecord, parent: string | undefined): Effect[] {
  const { type } = part
  if (type === 'tool') return toolPart(state, part, parent)
  // What sub-agents do and say is theirs, and stays out of the answer.
  const isOwn = parent === undefined && !state.hidden.has(asString(part.messageID) ?? '')
  if (type === 'step-start') return isOwn ? stepStarted(state, part) : NO_EFFECTS
  if (type === 'step-finish')
    return [...stepUsage(state.usage, part, state.model), ...(isOwn ? stepEnded(state, part) : [])]
  if (type !== 'text' && type !== 'reasoning') {
    return SILENT.has(type) ? NO_EFFECTS : [{ unrecognized: `part/${textOf(type)}` }]
  }
  return isOwn ? textPart(state, part, type) : NO_EFFECTS
}

/** A part may be sent again as it is. */
function stepStarted(state: DialogueState, part: JsonRecord): Effect[] {
  const id = asString(part.id) ?? ''
  if (state.step === id) return NO_EFFECTS
  state.step = id
  return [stepStart()]
}

function stepEnded(state: DialogueState, part: JsonRecord): Effect[] {
  const wasOpen = state.step !== ''
  state.step = ''
  state.lastReason = asString(part.reason) ?? ''
  // What failed has been fixed: the context was compacted, and the model has answered.
  if (state.lastReason !== 'error' && state.lastReason !== 'content-filter') state.error = undefined
  return wasOpen ? [stepEnd()] : NO_EFFECTS
}

function textPart(state: DialogueState, part: JsonRecord, type: TextPart['type']): Effect[] {
  const id = asString(part.id) ?? ''
  const whole = asString(part.text) ?? ''
  const known = state.texts.get(id)
  const text: TextPart = known ?? { type, emitted: 0, isDone: false }
  const effects: Effect[] = []
  if (!known) {
    state.texts.set(id, text)
    effects.push({ emit: type === 'text' ? { type: 'message_start' } : { type: 'thinking_start' } })
  }
  if (whole.length > text.emitted && !text.isDone) effects.push(...delta(text, whole.slice(text.emitted)))
  if (asRecord(part.time)?.end === undefined || text.isDone) return effects
  text.isDone = true
  effects.push({
    emit: type === 'text' ? { type: 'message_stop', text: whole } : { type: 'thinking_stop', thinking: whole },
  })
  return effects
}

function delta(part: TextPart, words: string): Effect[] {
  part.emitted += words.length
  return [{ emit: { type: part.type === 'text' ? 'text_delta' : 'thinking_delta', delta: words } }]
}

/** Nearly every event of a run comes through here. */
export function partDelta(state: DialogueState, properties: JsonRecord): Effect[] {
  const part = state.texts.get(asString(properties.partID) ?? '')
  const words = properties.delta
  if (!part || part.isDone || properties.field !== 'text' || typeof words !== 'string') return NO_EFFECTS
  return delta(part, words)
}

function toolPart(state: DialogueState, part: JsonRecord, parentToolCallId: string | undefined): Effect[] {
  const native = asRecord(part.state) ?? {}
  const name = toolName(asString(part.tool) ?? '', state.options)
  const toolCallId = asString(part.callID) ?? ''
  const call: ToolCall = { toolCallId, toolName: name, input: native.input, parentToolCallId }
  const effects: Effect[] = []
  let tool = state.tools.get(toolCallId)
  if (!tool) {
    tool = { isReady: false, isDone: false, emitted: 0 }
    state.tools.set(toolCallId, tool)
    // Text is marked complete only after the call has begun; by then all of it is there.
    if (parentToolCallId === undefined) for (const text of state.texts.values()) text.isDone = true
    effects.push({ emit: { type: 'tool_call_start', toolCallId, toolName: name, parentToolCallId } })
  }
  if (tool.isDone || native.status === 'pending') return effects
  const child = asString(asRecord(native.metadata)?.sessionId)
  if (name === 'task' && child !== undefined) state.children.set(child, toolCallId)
  const outcome = toolOutcome(native)
  const isDenied = outcome.error !== undefined && wasDenied(outcome.error)
  if (!tool.isReady) effects.push(...toolReady(isDenied ? {} : TOOLS, call, state.options.cwd ?? ''))
  tool.isReady = true
  tool.call = call
  if (native.status !== 'completed' && native.status !== 'error') {
    const printed = name === 'bash' ? (asString(asRecord(native.metadata)?.output) ?? '') : ''
    if (printed.length <= tool.emitted) return effects
    effects.push({ emit: { type: 'shell_stdout_delta', delta: printed.slice(tool.emitted), toolCallId } })
    tool.emitted = printed.length
    return effects
  }
  tool.isDone = true
  if (isDenied && !state.asked.has(toolCallId))
    effects.push(...ownDenial(call, outcome.error ?? '', textOf(call.input)))
  return [...effects, ...toolDone(TOOLS, call, { ...outcome, stdout: outcome.stdout?.slice(tool.emitted) })]
}
