import { randomUUID } from 'node:crypto'
import type { Conversation, ToolCall, ToolDeclaration } from '../conversation.ts'
import { isSearchTool } from '../position.ts'
import { fillSchema, type JsonSchema } from '../schema.ts'
import type { ToolIntent } from '../types.ts'
import { addFilePatch, execScript } from './codex-forms.ts'
import { hintFor } from './hints.ts'
import { knownNames } from './known-names.ts'
import { absolutePath } from './working-directory.ts'

const callOf = (tool: ToolDeclaration, input: ToolCall['input']): ToolCall => ({
  id: `call_${randomUUID().replaceAll('-', '').slice(0, 20)}`,
  name: tool.name,
  namespace: tool.namespace,
  kind: tool.kind,
  input,
})

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Agents join server and tool each in its own way: mcp__tiny__echo, tiny_echo, tiny-echo, mcp_tiny_echo. */
const isMcpTool = (tool: ToolDeclaration, server: string, name: string): boolean =>
  letters(`${tool.namespace ?? ''}${tool.name}`).endsWith(letters(server + name))

const isCodeMode = (tool: ToolDeclaration): boolean =>
  tool.kind === 'freeform' && tool.name === 'exec' && tool.description.includes('JavaScript')

const findTool = (intent: ToolIntent, tools: ToolDeclaration[]): ToolDeclaration | undefined => {
  if (intent.intent === undefined) return tools.find((tool) => tool.name === intent.name)
  if (intent.intent === 'mcp') {
    // Continue leaves the name of the server out.
    const isNamed = tools.find((tool) => isMcpTool(tool, intent.server, intent.tool))
    return isNamed ?? tools.find((tool) => tool.name === intent.tool)
  }
  const { names, pattern } = knownNames[intent.intent]
  const known = names.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined)
  return known ?? tools.find((tool) => pattern.test(tool.name))
}

const inputFor = (intent: ToolIntent, tool: ToolDeclaration, context: string): ToolCall['input'] => {
  if (intent.intent === undefined || intent.intent === 'mcp') return intent.input
  if (tool.kind === 'local-shell')
    return { command: ['bash', '-lc', intent.intent === 'shell' ? intent.command : 'true'] }
  if (intent.intent === 'write' && /^apply_?patch$/i.test(tool.name)) {
    const patch = addFilePatch(intent.path, intent.content)
    return tool.kind === 'freeform' ? patch : { [Object.keys(tool.schema.properties ?? {})[0] ?? 'input']: patch }
  }
  return fillSchema(tool.schema, { hint: hintFor(intent, tool.name, `${context}\n${tool.description}`) }) as Record<
    string,
    unknown
  >
}

/** Tools that a search announced in its result, beside those declared in the request. */
const knownTools = (conversation: Conversation): ToolDeclaration[] => [
  ...conversation.tools,
  ...conversation.entries.flatMap((entry) =>
    entry.role === 'result' ? [...(entry.tools ?? []), ...toolsIn(entry.text)] : [],
  ),
]

/** Claude answers a tool search with `<function>{…}</function>` lines. */
const toolsIn = (text: string): ToolDeclaration[] =>
  [...text.matchAll(/<function>(\{.*?\})<\/function>/g)].flatMap(([, json = '']) => {
    try {
      const { name, description, parameters } = JSON.parse(json) as {
        name: string
        description: string
        parameters: JsonSchema
      }
      return [{ name, description, kind: 'function' as const, schema: parameters }]
    } catch {
      return []
    }
  })

/** The name of an MCP tool as the agent spells it where it lists tools that are not loaded: tiny___echo. */
const announcedName = (context: string, server: string, tool: string): string =>
  new RegExp(`[\\w-]*${server}_+${tool}\\b`).exec(context)?.[0] ?? `mcp__${server}__${tool}`

/**
 * A model searches for a tool that it knows of but was not given; one that is not found at once is searched for once more.
 */
const searchFor = (intent: ToolIntent, conversation: Conversation, searches: number): ToolCall | undefined => {
  const tool = conversation.tools.find((declared) => declared.kind === 'search' || isSearchTool(declared.name))
  if (!tool || intent.intent !== 'mcp' || searches >= 2) return undefined
  const query =
    tool.kind === 'search' || tool.name === 'search_tool'
      ? `${intent.server} ${intent.tool}`
      : `select:${announcedName(conversation.context, intent.server, intent.tool)}`
  const hint = (key: string): unknown => (key === 'query' ? query : key === 'limit' ? 5 : undefined)
  return callOf(tool, fillSchema(tool.schema, { hint }) as Record<string, unknown>)
}

/** Grok calls all MCP tools through one of its own. */
const dispatched = (intent: ToolIntent, tools: ToolDeclaration[]): ToolCall | undefined => {
  const tool = tools.find(({ name, schema }) => name === 'use_tool' && schema.properties?.tool_name)
  if (!tool || intent.intent !== 'mcp') return undefined
  return callOf(tool, { tool_name: `${intent.server}__${intent.tool}`, tool_input: intent.input })
}

/** The call that carries out an intent with the tools at hand; undefined when the agent has none for it. */
export const resolveTool = (given: ToolIntent, conversation: Conversation, searches: number): ToolCall | undefined => {
  const tools = knownTools(conversation)
  const codeMode = tools.find(isCodeMode)
  const script = codeMode && execScript(given)
  if (codeMode && script) return callOf(codeMode, script)
  // In code mode `exec` must not pass for a shell.
  const tool = findTool(
    given,
    tools.filter((candidate) => candidate !== codeMode),
  )
  if (!tool) return searchFor(given, conversation, searches) ?? dispatched(given, tools)
  const { context } = conversation
  return callOf(tool, inputFor(absolutePath(given, tool, context), tool, context))
}
