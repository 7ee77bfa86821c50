import type { Conversation, Entry, ToolDeclaration } from '../conversation.ts'
import { asArray, asObject, asString, textOf, textParts } from '../json.ts'
import type { JsonSchema } from '../schema.ts'
import { userEntries } from '../synthetic.ts'

const entriesOfAssistant = (content: unknown): Entry[] =>
  typeof content === 'string'
    ? [{ role: 'assistant', text: content }]
    : asArray(content).flatMap((part): Entry[] => {
        const block = asObject(part)
        if (block.type === 'text') return [{ role: 'assistant', text: asString(block.text) }]
        return block.type === 'tool_use' ? [{ role: 'call', id: asString(block.id), name: asString(block.name) }] : []
      })

/** A message with tool results is not a user turn: text beside them is put there by the CLI. */
const entriesOfUser = (content: unknown): Entry[] => {
  const results = asArray(content)
    .map(asObject)
    .filter((block) => block.type === 'tool_result')
  if (results.length === 0) return userEntries(textParts(content))
  return results.map((block) => ({ role: 'result', id: asString(block.tool_use_id), text: textOf(block.content) }))
}

const entriesOf = (value: unknown): Entry[] => {
  const { role, content } = asObject(value)
  if (role === 'assistant') return entriesOfAssistant(content)
  // Claude Code also sends messages of the role `system` between the turns.
  return role === 'user' ? entriesOfUser(content) : []
}

const toolOf = (tool: Record<string, unknown>): ToolDeclaration => ({
  name: asString(tool.name),
  kind: 'function',
  description: asString(tool.description),
  schema: asObject(tool.input_schema) as JsonSchema,
})

/** Deferred tools are declared, but cannot be called before a search has answered with a reference to them. */
const loadedByReference = (messages: unknown[]): Set<string> =>
  new Set(
    messages
      .flatMap((message) => asArray(asObject(message).content))
      .map(asObject)
      .flatMap((block) => (block.type === 'tool_result' ? asArray(block.content) : []))
      .map((part) => asString(asObject(part).tool_name)),
  )

export const readAnthropic = (value: unknown): Conversation => {
  const body = asObject(value)
  const messages = asArray(body.messages)
  const system = textOf(body.system)
  const loaded = loadedByReference(messages)
  const format = asObject(asObject(body.output_config).format ?? body.output_format)
  return {
    protocol: 'anthropic',
    model: asString(body.model),
    stream: body.stream === true,
    system,
    context: [system, ...messages.map((message) => textOf(asObject(message).content))].join('\n'),
    entries: messages.flatMap(entriesOf),
    tools: asArray(body.tools)
      .map(asObject)
      .filter((tool) => tool.defer_loading !== true || loaded.has(asString(tool.name)))
      .map(toolOf),
    outputSchema: format.type === 'json_schema' ? (asObject(format.schema) as JsonSchema) : undefined,
    maxTokens: typeof body.max_tokens === 'number' ? body.max_tokens : undefined,
    session: asString(asObject(body.metadata).user_id),
  }
}
