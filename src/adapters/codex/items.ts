import type { Effect } from '../../contract/dialogue.ts'
import { asNumber, asRecord, asRecords, asString, isRecord, type JsonRecord, textOf } from '../../core/json.ts'
import { type ToolCall, type ToolMap, toolDone, toolReady } from '../../core/tools.ts'

const TOOLS: ToolMap = { shell: { kind: 'shell', command: 'command' } }

/** exec writes snake_case, the app server camelCase; the items are the same. */
const TYPES: Readonly<Record<string, string>> = {
  agent_message: 'agentMessage',
  command_execution: 'commandExecution',
  file_change: 'fileChange',
  mcp_tool_call: 'mcpToolCall',
  collab_tool_call: 'collabAgentToolCall',
  web_search: 'webSearch',
  todo_list: 'todoList',
}

/** Nothing to tell: what the user said, what hooks added, review mode on and off. */
const SILENT: ReadonlySet<string> = new Set(['userMessage', 'hookPrompt', 'enteredReviewMode', 'exitedReviewMode'])

const PERMISSION_ERROR = /requires approval|approval policy/i

export function itemType(item: JsonRecord): string {
  const type = asString(item.type) ?? ''
  return TYPES[type] ?? type
}

function toolOf(type: string, item: JsonRecord): { toolName: string; input: unknown } | null {
  switch (type) {
    case 'commandExecution':
      return { toolName: 'shell', input: { command: asString(item.command) ?? '', cwd: asString(item.cwd) } }
    case 'fileChange':
      return { toolName: 'apply_patch', input: { changes: item.changes } }
    case 'mcpToolCall':
      return { toolName: `mcp__${textOf(item.server)}__${textOf(item.tool)}`, input: item.arguments }
    case 'dynamicToolCall':
      return { toolName: textOf(item.tool), input: item.arguments }
    case 'functionCallOutput':
      return { toolName: textOf(item.name), input: {} }
    case 'collabAgentToolCall':
      return { toolName: textOf(item.tool), input: { prompt: item.prompt, model: item.model } }
    case 'webSearch':
      return { toolName: 'web_search', input: { query: item.query, action: item.action } }
    case 'todoList':
      return { toolName: 'update_plan', input: { items: item.items } }
    case 'plan':
      return { toolName: 'plan', input: {} }
    case 'imageView':
      return { toolName: 'view_image', input: { path: item.path } }
    case 'imageGeneration':
      return { toolName: 'image_generation', input: { prompt: item.revisedPrompt } }
    case 'sleep':
      return { toolName: 'sleep', input: { durationMs: item.durationMs } }
    default:
      return null
  }
}

function outputOf(type: string, item: JsonRecord): unknown {
  switch (type) {
    case 'commandExecution':
      return shellOutput(item)
    case 'mcpToolCall':
      return asRecord(item.result)?.content ?? item.result
    case 'dynamicToolCall':
      return item.contentItems
    case 'functionCallOutput':
      return item.output
    case 'collabAgentToolCall':
      return item.agentsStates ?? item.agents_states
    case 'webSearch':
      return item.results ?? ''
    case 'plan':
      return item.text
    default:
      return asString(item.status) ?? ''
  }
}

function shellOutput(item: JsonRecord): string {
  return asString(item.aggregatedOutput) ?? asString(item.aggregated_output) ?? ''
}

function errorOf(type: string, item: JsonRecord): string | undefined {
  const status = asString(item.status)
  const told = asString(asRecord(item.error)?.message)
  if (status === 'declined') return 'The request to do this was declined.'
  if (status !== 'failed' && told === undefined) return undefined
  const exitCode = asNumber(item.exitCode) ?? asNumber(item.exit_code)
  const output = type === 'commandExecution' ? shellOutput(item) : ''
  return told ?? (output || (exitCode === undefined ? 'The call failed.' : `Exit code ${exitCode}`))
}

/** A change has its kind as a word in exec, as an object with a word in the app server; only the latter has a diff. */
function fileEffects(item: JsonRecord): Effect[] {
  return asRecords(item.changes).flatMap((change): Effect[] => {
    const path = asString(change.path) ?? ''
    const kind = isRecord(change.kind) ? asString(change.kind.type) : asString(change.kind)
    const diff = asString(change.diff) ?? ''
    const movedTo = isRecord(change.kind) ? asString(change.kind.move_path) : undefined
    if (kind === 'add') return [{ emit: { type: 'file_create', path, byteCount: Buffer.byteLength(diff) } }]
    if (kind === 'delete') return [{ emit: { type: 'file_delete', path } }]
    const patch: Effect = { emit: { type: 'file_patch', path: movedTo ?? path, diff } }
    return movedTo === undefined ? [patch] : [{ emit: { type: 'file_delete', path } }, patch]
  })
}

function imageEffects(item: JsonRecord): Effect[] {
  const base64 = asString(item.result)
  const filePath = asString(item.savedPath)
  if (!base64 && !filePath) return []
  return [{ emit: { type: 'image_output', mimeType: 'image/png', base64: base64 || undefined, filePath } }]
}

function thinkingOf(item: JsonRecord): string {
  const parts = [item.summary, item.content].map((part) => (Array.isArray(part) ? part.map(textOf) : []))
  return asString(item.text) ?? (parts[0]?.length ? parts[0] : (parts[1] ?? [])).join('\n\n')
}

/** Turns the items of one thread into events. Knows which were begun, and which have already come in pieces. */
export class ItemReader {
  /** The text of the last whole message. */
  lastMessage = ''
  readonly #calls = new Map<string, JsonRecord>()
  readonly #parentToolCallId: string | undefined
  #streamed = ''
  readonly #streamedShells = new Set<string>()

  readonly #cwd: string

  /** With a parent, the thread is a sub-agent's: its tools are shown, its words are not. */
  constructor({ cwd = '', parentToolCallId }: { cwd?: string; parentToolCallId?: string }) {
    this.#cwd = cwd
    this.#parentToolCallId = parentToolCallId
  }

  /** The item of a call that has begun and not ended. */
  open(id: string): JsonRecord | undefined {
    return this.#calls.get(id)
  }

  /** The newest open call of an MCP server: what a question of that server is about. */
  openMcpCall(server: unknown): JsonRecord | undefined {
    let found: JsonRecord | undefined
    for (const item of this.#calls.values()) if (item.server !== undefined && item.server === server) found = item
    return found
  }

  textDelta(itemId: unknown, delta: string): Effect[] {
    if (this.#parentToolCallId !== undefined) return []
    if (typeof itemId === 'string') this.#streamed = itemId
    return [{ emit: { type: 'text_delta', delta } }]
  }

  thinkingDelta(itemId: unknown, delta: string): Effect[] {
    if (this.#parentToolCallId !== undefined) return []
    if (typeof itemId === 'string') this.#streamed = itemId
    return [{ emit: { type: 'thinking_delta', delta } }]
  }

  /** A new part of the summary: the parts are paragraphs. */
  thinkingPart(itemId: unknown): Effect[] {
    return itemId === this.#streamed ? this.thinkingDelta(itemId, '\n\n') : []
  }

  shellDelta(itemId: unknown, delta: string): Effect[] {
    const toolCallId = asString(itemId)
    if (toolCallId !== undefined) this.#streamedShells.add(toolCallId)
    return [{ emit: { type: 'shell_stdout_delta', delta, toolCallId } }]
  }

  started(item: JsonRecord): Effect[] {
    const type = itemType(item)
    if (type === 'agentMessage')
      return this.#parentToolCallId === undefined ? [{ emit: { type: 'message_start' } }] : []
    const call = this.#call(type, item)
    if (!call || this.#calls.has(call.toolCallId)) return []
    this.#calls.set(call.toolCallId, item)
    const { toolCallId, toolName, parentToolCallId } = call
    const start: Effect = { emit: { type: 'tool_call_start', toolCallId, toolName, parentToolCallId } }
    return [start, ...toolReady(TOOLS, call, asString(item.cwd) ?? this.#cwd)]
  }

  completed(item: JsonRecord): Effect[] {
    const type = itemType(item)
    if (type === 'agentMessage') return this.#message(item)
    if (type === 'reasoning') return this.#thinking(item)
    if (type === 'contextCompaction') return [{ emit: { type: 'context_compacted', summary: '', tokensSaved: 0 } }]
    const call = this.#call(type, item)
    if (!call) return SILENT.has(type) ? [] : [{ unrecognized: `item:${type || 'untyped'}` }]
    const before = this.started(item)
    this.#calls.delete(call.toolCallId)
    const error = errorOf(type, item)
    const stdout = this.#streamedShells.delete(call.toolCallId) ? undefined : shellOutput(item)
    const exitCode = asNumber(item.exitCode) ?? asNumber(item.exit_code)
    const done = toolDone(TOOLS, call, { output: outputOf(type, item), error, stdout, exitCode })
    if (error !== undefined) return [...before, ...(type === 'mcpToolCall' ? refusal(call, error) : []), ...done]
    const after = type === 'fileChange' ? fileEffects(item) : type === 'imageGeneration' ? imageEffects(item) : []
    return [...before, ...done, ...after]
  }

  #call(type: string, item: JsonRecord): ToolCall | null {
    const tool = toolOf(type, item)
    return tool && { ...tool, toolCallId: asString(item.id) ?? '', parentToolCallId: this.#parentToolCallId }
  }

  #message(item: JsonRecord): Effect[] {
    const text = asString(item.text) ?? ''
    this.lastMessage = text
    if (this.#parentToolCallId !== undefined) return []
    const stop: Effect = { emit: { type: 'message_stop', text } }
    const whole = text !== '' && item.id !== this.#streamed
    return whole ? [{ emit: { type: 'text_delta', delta: text } }, stop] : [stop]
  }

  #thinking(item: JsonRecord): Effect[] {
    const thinking = thinkingOf(item)
    if (thinking === '' || this.#parentToolCallId !== undefined) return []
    const stop: Effect = { emit: { type: 'thinking_stop', thinking } }
    return item.id === this.#streamed ? [stop] : [{ emit: { type: 'thinking_delta', delta: thinking } }, stop]
  }
}

/** A call that codex itself refused for want of permission: nobody was asked, so ask and answer are told here. */
function refusal({ toolCallId, toolName }: ToolCall, error: string): Effect[] {
  if (!PERMISSION_ERROR.test(error)) return []
  const interactionId = toolCallId
  const request = { action: toolName, detail: error, toolName, toolCallId, riskLevel: 'medium' } as const
  return [
    { emit: { type: 'approval_request', interactionId, ...request } },
    { emit: { type: 'approval_denied', interactionId, reason: error } },
  ]
}
