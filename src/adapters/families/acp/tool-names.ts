import type { ToolCall, ToolKind } from '@agentclientprotocol/sdk/unstable'
import { asRecord, asString } from '../../../core/json.ts'
import { mcpTool } from '../../kit/tools.ts'
import type { Native } from './rpc.ts'
import type { AcpState } from './state.ts'

const KINDS: Readonly<Record<ToolKind, true>> = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
}

export function kindOf({ kind, _meta }: Native<ToolCall>): ToolKind | undefined {
  return wordOfKind(kind) ?? vendorTool(_meta).kind
}

function wordOfKind(value: unknown): ToolKind | undefined {
  const isKind = (word: string): word is ToolKind => Object.hasOwn(KINDS, word)
  return typeof value === 'string' && isKind(value) ? value : undefined
}

/** `echo (tiny MCP Server)`, as one agent entitles such calls. */
const ENTITLED = /^(\S+) \((.+) MCP Server\)$/
const SEPARATORS = ['__', '_', '-', '/', '.', ': ', ':']

/** Gemini's spelling, which names the server also where a recording does not report which ones there were. */
const MARKED = /^mcp_([^_]+)_(.+)$/

const DISPATCHED = /^(.+?)__(.+)$/

/** A tool of one of the servers that this run has given the agent, in the spelling that all adapters share. */
function asMcpTool(state: AcpState, name: string): string | null {
  if (mcpTool(name)) return name
  const [, tool, server] = ENTITLED.exec(name) ?? []
  if (tool !== undefined && server !== undefined) return `mcp__${server}__${tool}`
  const plain = name.replace(/^mcp_+/, '')
  for (const { name: server } of state.options.mcpServers ?? []) {
    const separator = SEPARATORS.find((one) => plain.startsWith(`${server}${one}`))
    if (separator !== undefined) return `mcp__${server}__${plain.slice(server.length + separator.length)}`
  }
  return MARKED.test(name) ? name.replace(MARKED, 'mcp__$1__$2') : null
}

/** A vendor's own description of the tool, as in `_meta: {"x.ai/tool": {"name": …, "kind": …}}`. */
function vendorTool(meta: unknown): { name?: string; kind?: ToolKind } {
  for (const value of Object.values(asRecord(meta) ?? {})) {
    const tool = asRecord(value) ?? {}
    const name = asString(tool.name) ?? asString(tool.toolName)
    if (name !== undefined) return { name, kind: wordOfKind(tool.kind) }
  }
  return {}
}

function dispatchedTool(state: AcpState, name: string | undefined, input: unknown): string | null {
  const { mcpDispatcher } = state.profile
  if (mcpDispatcher === undefined || name !== mcpDispatcher.tool) return null
  const target = asString(asRecord(input)?.[mcpDispatcher.name]) ?? ''
  // Also for servers of the user's own settings.
  const [, server, tool] = DISPATCHED.exec(target) ?? []
  return asMcpTool(state, target) ?? (server === undefined ? null : `mcp__${server}__${tool}`)
}

export function nameOf(state: AcpState, update: Native<ToolCall>): string {
  const inId = state.profile.nameInId?.exec(asString(update.toolCallId) ?? '')?.[1]
  const title = asString(update.title) ?? ''
  const name = asString(update.name) ?? vendorTool(update._meta).name ?? inId ?? state.profile.nameInTitle?.(title)
  const dispatched = dispatchedTool(state, name, update.rawInput)
  if (dispatched !== null) return dispatched
  const kind = kindOf(update)
  const mcp = asMcpTool(state, name ?? title)
  if (mcp !== null) return mcp
  if (name !== undefined) return name
  if (state.profile.toolName === 'title' && title !== '') return title
  return kind === undefined || kind === 'other' ? title || 'tool' : kind
}
