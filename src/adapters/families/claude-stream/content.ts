import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asArray, asRecord, asRecords, asString, isRecord, type JsonRecord, textOf } from '../../../core/json.ts'
import { subagentOf, type ToolCall, toolDone, toolReady } from '../../kit/tools.ts'
import { askedAgain, messageStop, stopOf } from './broken-off.ts'
import { noteReply, replyUsage } from './reply-usage.ts'
import type { DialogueState } from './state.ts'
import { unknown } from './unknown.ts'
import { messageUsage } from './usage.ts'

/**
 * A raw event of the Anthropic stream. Nearly every line of a run comes through here, so a delta costs one effect and
 * nothing else. What sub-agents say is theirs, and stays out of the answer.
 */
export function streamEvent(state: DialogueState, record: JsonRecord): Effect[] {
  if (typeof record.parent_tool_use_id === 'string') return NO_EFFECTS
  const event = record.event
  if (!isRecord(event)) return [{ unrecognized: 'stream_event' }]
  const again = event.type === 'message_start' ? askedAgain(state) : NO_EFFECTS
  return again.length === 0 ? blockEvent(state, record, event) : [...again, ...blockEvent(state, record, event)]
}

function blockEvent(state: DialogueState, record: JsonRecord, event: JsonRecord): Effect[] {
  switch (event.type) {
    case 'content_block_delta':
      return isRecord(event.delta) ? blockDelta(state, event.delta) : NO_EFFECTS
    case 'content_block_start':
      return blockStart(state, asRecord(event.content_block) ?? {})
    case 'content_block_stop':
      return blockStop(state)
    case 'message_start': {
      const message = asRecord(event.message) ?? {}
      state.streamedMessageId = asString(message.id) ?? ''
      noteReply(state, state.streamedMessageId, message)
      return NO_EFFECTS
    }
    case 'message_delta':
      noteReply(state, state.streamedMessageId, event)
      return replyUsage(state, state.streamedMessageId)
    case 'message_stop':
      return messageStop(state, record)
    default:
      return unknown(state, `stream_event/${textOf(event.type)}`)
  }
}

function blockDelta(state: DialogueState, delta: JsonRecord): Effect[] {
  switch (delta.type) {
    case 'text_delta':
      return typeof delta.text === 'string' ? textDelta(state, delta.text) : NO_EFFECTS
    case 'thinking_delta':
      return typeof delta.thinking === 'string'
        ? [{ emit: { type: 'thinking_delta', delta: delta.thinking } }]
        : NO_EFFECTS
    case 'input_json_delta':
      return typeof delta.partial_json === 'string' && delta.partial_json !== ''
        ? [{ emit: { type: 'tool_input_delta', toolCallId: state.blockToolId, delta: delta.partial_json } }]
        : NO_EFFECTS
    case 'signature_delta':
    case 'citations_delta':
    case 'compaction_delta':
      return NO_EFFECTS
    default:
      return unknown(state, `stream_event/content_block_delta/${textOf(delta.type)}`)
  }
}

/** A piece of the answer. */
export function textDelta(state: DialogueState, delta: string): Effect[] {
  if (state.blockType === 'text') return [{ emit: { type: 'text_delta', delta } }]
  // The first words of a block show whether it is an answer, and so do those of one whose start is lost.
  if (state.blockType === 'error' || state.dialect.errorText?.test(delta)) {
    state.blockType = 'error'
    return NO_EFFECTS
  }
  state.blockType = 'text'
  state.textSeen = true
  return [{ emit: { type: 'message_start' } }, { emit: { type: 'text_delta', delta } }]
}

function blockStart(state: DialogueState, block: JsonRecord): Effect[] {
  state.blockType = asString(block.type) ?? ''
  state.blockText = ''
  switch (state.blockType) {
    case 'text':
      if (state.dialect.errorText) {
        state.blockType = 'unread'
        return NO_EFFECTS
      }
      state.textSeen = true
      return [{ emit: { type: 'message_start' } }]
    case 'thinking':
      return [{ emit: { type: 'thinking_start' } }]
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      state.blockToolId = asString(block.id) ?? ''
      return [{ emit: { type: 'tool_call_start', toolCallId: state.blockToolId, toolName: toolNameOf(block) } }]
    default:
      return isServerResult(state.blockType) || SILENT_BLOCKS.has(state.blockType)
        ? NO_EFFECTS
        : unknown(state, `stream_event/content_block_start/${state.blockType}`)
  }
}

// The `assistant` line with the whole block comes before or after its stop; a block that was cut off has none.
function blockStop(state: DialogueState): Effect[] {
  const type = state.blockType
  if (state.dialect.wholeBlock === 'after-stop') {
    state.streamedBlocks.push(type === 'unread' || type === 'error' ? 'text' : type)
    // More of it may follow: an answer that reached the limit of tokens goes on in the same block.
    if (type === 'text') return NO_EFFECTS
  }
  state.blockType = ''
  // Without that line it may have been cut off: the end of the message shows it.
  const isCut = state.dialect.wholeBlock === 'before-stop' && state.blockText === ''
  state.cutBlock = isCut ? type : ''
  return isCut ? NO_EFFECTS : stopOf(type, state.blockText)
}

/** One finished content block. With partial messages its text has been streamed already. */
export function assistantRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const message = asRecord(record.message) ?? {}
  const blocks = asRecords(message.content)
  if (typeof record.error === 'string') {
    state.apiError = { code: record.error, text: textOf(message.content) }
    return NO_EFFECTS
  }
  const parent = asString(record.parent_tool_use_id)
  const id = asString(message.id) ?? ''
  const again = parent === undefined && id !== state.streamedMessageId ? askedAgain(state) : NO_EFFECTS
  const blockEffects = blocks.flatMap((block) =>
    finishedBlock(state, block, parent === undefined && wasStreamed(state, message, block), parent),
  )
  const effects = [...again, ...blockEffects]
  if (state.dialect.usage === 'messages') return [...effects, ...messageUsage(state, message)]
  // A message that is streamed reports its counts itself, with its end; here they are those of its start.
  if (id === state.streamedMessageId && id !== '') return effects
  noteReply(state, id, message)
  return [...effects, ...replyUsage(state, id)]
}

function wasStreamed(state: DialogueState, message: JsonRecord, block: JsonRecord): boolean {
  if (state.dialect.wholeBlock === 'before-stop') {
    return message.id === state.streamedMessageId && state.streamedMessageId !== ''
  }
  if (state.streamedBlocks[0] !== block.type) return false
  state.streamedBlocks.shift()
  return true
}

function finishedBlock(state: DialogueState, block: JsonRecord, streamed: boolean, parent?: string): Effect[] {
  switch (block.type) {
    case 'text': {
      const text = asString(block.text) ?? ''
      if (parent === undefined && state.dialect.errorText?.test(text)) {
        state.apiError = { code: '', text }
        return NO_EFFECTS
      }
      if (parent === undefined && streamed && state.dialect.wholeBlock === 'after-stop') {
        state.blockType = ''
        return [{ emit: { type: 'message_stop', text } }]
      }
      if (parent === undefined && streamed) state.blockText = text
      return parent !== undefined || streamed || text === '' ? NO_EFFECTS : wholeMessage(state, text)
    }
    case 'thinking': {
      const thinking = asString(block.thinking) ?? ''
      if (parent === undefined && streamed) state.blockText = thinking
      if (parent !== undefined || streamed || thinking === '') return NO_EFFECTS
      return [
        { emit: { type: 'thinking_start' } },
        { emit: { type: 'thinking_delta', delta: thinking } },
        { emit: { type: 'thinking_stop', thinking } },
      ]
    }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return toolUse(state, block, streamed, parent)
    default:
      if (isServerResult(block.type)) return toolResult(state, serverResult(block), parent)
      return SILENT_BLOCKS.has(textOf(block.type)) ? NO_EFFECTS : unknown(state, `assistant/${textOf(block.type)}`)
  }
}

/** Blocks of the model API that say nothing to a reader, or what a system record says better. */
const SILENT_BLOCKS: ReadonlySet<string> = new Set(['redacted_thinking', 'compaction', 'container_upload', 'fallback'])

/** The result of a tool that the model API runs itself is in the reply. */
function isServerResult(type: unknown): boolean {
  return typeof type === 'string' && type.endsWith('_tool_result')
}

/** Its failure has a name of its own in place of a mark: `web_search_tool_result_error`. */
function serverResult(block: JsonRecord): JsonRecord {
  const content = asRecord(block.content)
  const failed = asString(content?.type)?.endsWith('_tool_result_error') === true
  return failed ? { ...block, is_error: true, content: textOf(content?.error_code) } : block
}

/** A tool of an MCP server that the model API calls is named without the server. */
function toolNameOf({ name, server_name: server }: JsonRecord): string {
  const tool = asString(name) ?? ''
  return typeof server === 'string' ? `mcp__${server}__${tool}` : tool
}

/** A message that came in one piece. */
export function wholeMessage(state: DialogueState, text: string): Effect[] {
  state.textSeen = true
  return [
    { emit: { type: 'message_start' } },
    { emit: { type: 'text_delta', delta: text } },
    { emit: { type: 'message_stop', text } },
  ]
}

function toolUse(state: DialogueState, block: JsonRecord, streamed: boolean, parent?: string): Effect[] {
  const call: ToolCall = {
    toolCallId: asString(block.id) ?? '',
    toolName: toolNameOf(block),
    input: block.input ?? {},
    parentToolCallId: parent,
  }
  state.calls.set(call.toolCallId, call)
  if (subagentOf(state.dialect.tools, call)) state.hasUnreportedRequests = true
  const { toolCallId, toolName, parentToolCallId } = call
  const start: Effect[] = streamed
    ? NO_EFFECTS
    : [{ emit: { type: 'tool_call_start', toolCallId, toolName, parentToolCallId } }]
  return [...start, ...toolReady(state.dialect.tools, call, state.cwd)]
}

/** Results of tools. The other user lines are our own messages come back, or notes of the CLI to the model. */
export function userRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const content = asRecord(record.message)?.content
  return asArray(content).flatMap((block) => {
    if (!isRecord(block) || block.type !== 'tool_result') return NO_EFFECTS
    return toolResult(state, block, asString(record.parent_tool_use_id), record.tool_use_result)
  })
}

function toolResult(state: DialogueState, block: JsonRecord, parent?: string, structured?: unknown): Effect[] {
  const toolCallId = asString(block.tool_use_id) ?? ''
  const call = state.calls.get(toolCallId) ?? { toolCallId, toolName: '', input: {}, parentToolCallId: parent }
  state.calls.delete(toolCallId)
  return toolDone(state.dialect.tools, call, state.dialect.toolOutcome(block, structured))
}
