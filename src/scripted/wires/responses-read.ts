import type { Conversation, Entry, ToolDeclaration } from '../conversation.ts'
import { asArray, asObject, asString, textOf, textParts } from '../json.ts'
import type { JsonSchema } from '../schema.ts'
import { userEntries } from '../synthetic.ts'

/** Tools come flat, in namespaces, or as built-ins without a name. Built-ins that the server itself would run are left out. */
const toolsOf = (value: unknown, namespace?: string): ToolDeclaration[] => {
  const tool = asObject(value)
  const base = { namespace, description: asString(tool.description), schema: asObject(tool.parameters) as JsonSchema }
  switch (tool.type) {
    case 'namespace': {
      // `functions` is the default namespace, which calls do not name.
      const name = asString(tool.name)
      return asArray(tool.tools).flatMap((inner) => toolsOf(inner, name === 'functions' ? undefined : name))
    }
    case 'function':
      return [{ ...base, name: asString(tool.name), kind: 'function' }]
    case 'custom':
      return [{ ...base, name: asString(tool.name), kind: 'freeform' }]
    case 'tool_search':
      return [{ ...base, name: 'tool_search', kind: 'search' }]
    case 'local_shell':
      return [{ ...base, name: 'local_shell', kind: 'local-shell' }]
    default:
      return []
  }
}

/** The model encrypts what it sends another agent, so the task is not in a text part. */
const taskText = (content: unknown): string =>
  asArray(content)
    .map((part) => asString(asObject(part).encrypted_content) || asString(asObject(part).text))
    .join('\n')

const entriesOf = (value: unknown): Entry[] => {
  const item = asObject(value)
  const id = asString(item.call_id)
  switch (item.type ?? 'message') {
    case 'message':
      if (item.role === 'user') return userEntries(textParts(item.content))
      return item.role === 'assistant' ? [{ role: 'assistant', text: textOf(item.content) }] : []
    case 'agent_message':
      // How a codex subagent gets its task; other messages between agents are not turns.
      return textOf(item.content).includes('NEW_TASK') ? userEntries([taskText(item.content)]) : []
    case 'function_call':
    case 'custom_tool_call':
      return [{ role: 'call', id, name: asString(item.name) }]
    case 'tool_search_call':
    case 'local_shell_call':
      return [{ role: 'call', id, name: asString(item.type) }]
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return [{ role: 'result', id, text: textOf(item.output) }]
    case 'tool_search_output':
      return [{ role: 'result', id, text: '', tools: asArray(item.tools).flatMap((tool) => toolsOf(tool)) }]
    default:
      return []
  }
}

export const readResponses = (value: unknown): Conversation => {
  const body = asObject(value)
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : asArray(body.input)
  const messages = input.map(asObject)
  const added = messages.filter((item) => item.type === 'additional_tools').flatMap((item) => asArray(item.tools))
  const format = asObject(asObject(body.text).format)
  const instructions = messages.filter((item) => item.role === 'developer' || item.role === 'system')
  return {
    protocol: 'openai-responses',
    model: asString(body.model),
    stream: body.stream === true,
    system: [asString(body.instructions), ...instructions.map((item) => textOf(item.content))].join('\n'),
    context: [asString(body.instructions), ...messages.map((item) => textOf(item.content))].join('\n'),
    entries: input.flatMap(entriesOf),
    tools: [...asArray(body.tools), ...added].flatMap((tool) => toolsOf(tool)),
    outputSchema: format.type === 'json_schema' ? (asObject(format.schema) as JsonSchema) : undefined,
    maxTokens: typeof body.max_output_tokens === 'number' ? body.max_output_tokens : undefined,
    session: asString(body.prompt_cache_key),
  }
}
