import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asRecord, asRecords, asString, isRecord, type JsonRecord, textOf } from '../../core/json.ts'
import { exitCodeOf, type ToolMap, type ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = { shell: { kind: 'shell', command: 'command' } }

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

export function itemType(item: JsonRecord): string {
  const type = asString(item.type) ?? ''
  return TYPES[type] ?? type
}

export function mcpToolName(item: JsonRecord): string {
  return `mcp__${textOf(item.server)}__${textOf(item.tool)}`
}

/** The call that an item is; null when it is none. */
export function toolOf(type: string, item: JsonRecord): { toolName: string; input: unknown } | null {
  switch (type) {
    case 'commandExecution':
      return { toolName: 'shell', input: { command: asString(item.command) ?? '', cwd: asString(item.cwd) } }
    case 'fileChange':
      return { toolName: 'apply_patch', input: { changes: item.changes } }
    case 'mcpToolCall':
      return { toolName: mcpToolName(item), input: item.arguments }
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

/** What the model API does itself begins before it is known what: only the end reports the query, or the prompt. */
export function isUnwritten(item: JsonRecord): boolean {
  const type = itemType(item)
  if (type === 'webSearch') return !item.query && !item.action
  return type === 'imageGeneration' && !item.revisedPrompt && !item.result && !item.savedPath
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
  const reported = asString(asRecord(item.error)?.message) ?? asString(asRecord(item.failure)?.type)
  if (status === 'declined') return 'The request to do this was declined.'
  if (status === 'interrupted') return 'The call was interrupted.'
  if (status !== 'failed' && reported === undefined && item.success !== false) return undefined
  const exitCode = exitCodeOf(item)
  const output = type === 'commandExecution' ? shellOutput(item) : textOf(asRecord(item.result)?.content)
  return reported ?? (output || (exitCode === undefined ? 'The call failed.' : `Exit code ${exitCode}`))
}

export function toolOutcome(type: string, item: JsonRecord): ToolOutcome {
  return {
    output: outputOf(type, item),
    error: errorOf(type, item),
    stdout: shellOutput(item),
    exitCode: exitCodeOf(item),
  }
}

/** What a call that went well left behind. */
export function productEffects(type: string, item: JsonRecord): Effect[] {
  if (type === 'fileChange') return fileEffects(item)
  return type === 'imageGeneration' ? imageEffects(item) : NO_EFFECTS
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
  if (!base64 && !filePath) return NO_EFFECTS
  return [{ emit: { type: 'image_output', mimeType: 'image/png', base64: base64 || undefined, filePath } }]
}
