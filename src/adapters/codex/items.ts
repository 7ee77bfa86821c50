import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asString, type JsonRecord, textOf } from '../../core/json.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, toolDone, toolReady } from '../kit/tools.ts'
import type { DialogueState, ThreadItems } from './state.ts'
import { isUnwritten, itemType, productEffects, TOOLS, toolOf, toolOutcome } from './tools.ts'

// Each of these takes the items of the thread that the record is about; a sub-agent's words stay out of the answer.

/** Nearly every line of a run comes through here, so a delta costs one effect and nothing else. */
export function textDelta(items: ThreadItems | undefined, { itemId, delta }: JsonRecord): Effect[] {
  if (items === undefined || items.parentToolCallId !== undefined) return NO_EFFECTS
  if (typeof itemId === 'string') items.streamedId = itemId
  return [{ emit: { type: 'text_delta', delta: asString(delta) ?? '' } }]
}

export function thinkingDelta(items: ThreadItems | undefined, { itemId, delta }: JsonRecord): Effect[] {
  if (items === undefined || items.parentToolCallId !== undefined) return NO_EFFECTS
  if (typeof itemId === 'string') items.streamedId = itemId
  return [{ emit: { type: 'thinking_delta', delta: asString(delta) ?? '' } }]
}

/** A new part of the summary: the parts are paragraphs. */
export function thinkingPart(items: ThreadItems | undefined, { itemId }: JsonRecord): Effect[] {
  return items && itemId === items.streamedId ? thinkingDelta(items, { itemId, delta: '\n\n' }) : NO_EFFECTS
}

export function shellDelta(items: ThreadItems | undefined, { itemId, delta }: JsonRecord): Effect[] {
  if (items === undefined) return NO_EFFECTS
  const toolCallId = asString(itemId)
  if (toolCallId !== undefined) items.streamedShells.add(toolCallId)
  return [{ emit: { type: 'shell_stdout_delta', delta: asString(delta) ?? '', toolCallId } }]
}

function callOf(items: ThreadItems, item: JsonRecord): ToolCall | null {
  const tool = toolOf(itemType(item), item)
  return tool && { ...tool, toolCallId: asString(item.id) ?? '', parentToolCallId: items.parentToolCallId }
}

export function itemStarted(state: DialogueState, items: ThreadItems, item: JsonRecord): Effect[] {
  if (itemType(item) === 'agentMessage') {
    return items.parentToolCallId === undefined ? [{ emit: { type: 'message_start' } }] : NO_EFFECTS
  }
  const call = callOf(items, item)
  if (!call || items.openCalls.has(call.toolCallId)) return NO_EFFECTS
  items.openCalls.set(call.toolCallId, item)
  return isUnwritten(item) ? [callStart(call)] : [callStart(call), ...callReady(state, call, item)]
}

function callStart({ toolCallId, toolName, parentToolCallId }: ToolCall): Effect {
  return { emit: { type: 'tool_call_start', toolCallId, toolName, parentToolCallId } }
}

function callReady(state: DialogueState, call: ToolCall, item: JsonRecord): Effect[] {
  return toolReady(TOOLS, call, asString(item.cwd) ?? state.options.cwd ?? '')
}

/** Nothing to tell: what the user said, what hooks added, review mode on and off. */
const SILENT: ReadonlySet<string> = new Set(['userMessage', 'hookPrompt', 'enteredReviewMode', 'exitedReviewMode'])

export function itemCompleted(state: DialogueState, items: ThreadItems, item: JsonRecord): Effect[] {
  const type = itemType(item)
  switch (type) {
    case 'agentMessage':
      return message(items, item)
    case 'reasoning':
      return thinking(items, item)
    case 'contextCompaction':
      return [{ emit: { type: 'context_compacted', summary: '', tokensSaved: 0 } }]
  }
  const call = callOf(items, item)
  if (call) return callCompleted(state, items, call, item)
  return SILENT.has(type) ? NO_EFFECTS : [{ unrecognized: `item:${type || 'untyped'}` }]
}

/** A message whose text has not been streamed comes in one piece. */
function message(items: ThreadItems, item: JsonRecord): Effect[] {
  const text = asString(item.text) ?? ''
  items.lastMessage = text
  if (items.parentToolCallId !== undefined) return NO_EFFECTS
  const stop: Effect = { emit: { type: 'message_stop', text } }
  const isWhole = text !== '' && item.id !== items.streamedId
  return isWhole ? [{ emit: { type: 'text_delta', delta: text } }, stop] : [stop]
}

function thinkingText(item: JsonRecord): string {
  const [summary = [], content = []] = [item.summary, item.content].map((part) =>
    Array.isArray(part) ? part.map(textOf) : [],
  )
  return asString(item.text) ?? (summary.length > 0 ? summary : content).join('\n\n')
}

function thinking(items: ThreadItems, item: JsonRecord): Effect[] {
  const text = thinkingText(item)
  if (text === '' || items.parentToolCallId !== undefined) return NO_EFFECTS
  const stop: Effect = { emit: { type: 'thinking_stop', thinking: text } }
  return item.id === items.streamedId ? [stop] : [{ emit: { type: 'thinking_delta', delta: text } }, stop]
}

function callCompleted(state: DialogueState, items: ThreadItems, call: ToolCall, item: JsonRecord): Effect[] {
  const type = itemType(item)
  const started = items.openCalls.get(call.toolCallId)
  const ready = started === undefined || isUnwritten(started) ? callReady(state, call, item) : NO_EFFECTS
  const begun = started === undefined ? [callStart(call), ...ready] : ready
  items.openCalls.delete(call.toolCallId)
  const outcome = toolOutcome(type, item)
  if (items.streamedShells.delete(call.toolCallId)) outcome.stdout = undefined
  const done = toolDone(TOOLS, call, outcome)
  if (outcome.error === undefined) return [...begun, ...done, ...productEffects(type, item)]
  return [...begun, ...(type === 'mcpToolCall' ? denial(call, outcome.error) : NO_EFFECTS), ...done]
}

const PERMISSION_ERROR = /requires approval|approval policy/i

/** A call that codex itself refused for want of permission. */
function denial(call: ToolCall, error: string): Effect[] {
  return PERMISSION_ERROR.test(error) ? ownDenial(call, error) : NO_EFFECTS
}

/** The newest open call of an MCP server: what a question of that server is about. */
export function openMcpCall(items: ThreadItems, server: unknown): JsonRecord | undefined {
  let found: JsonRecord | undefined
  for (const item of items.openCalls.values()) if (item.server !== undefined && item.server === server) found = item
  return found
}

/** The plan comes as a whole each time: a call of the tool that changed it. */
export function planUpdated(state: DialogueState, input: JsonRecord): Effect[] {
  state.planCount += 1
  const call = { toolCallId: `plan-${state.planCount}`, toolName: 'update_plan' }
  return [{ emit: { type: 'tool_call_ready', ...call, input } }, { emit: { type: 'tool_result', ...call, output: '' } }]
}
