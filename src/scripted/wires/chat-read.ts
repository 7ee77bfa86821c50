import type { Conversation, Entry, ToolDeclaration } from '../conversation.ts'
import { asArray, asObject, asString, textOf, textParts } from '../json.ts'
import type { JsonSchema } from '../schema.ts'
import { userEntries } from '../synthetic.ts'

const entriesOf = (value: unknown): Entry[] => {
  const message = asObject(value)
  const text = textOf(message.content)
  if (message.role === 'user') return userEntries(textParts(message.content))
  if (message.role === 'tool') return [{ role: 'result', id: asString(message.tool_call_id), text }]
  if (message.role !== 'assistant') return []
  const calls = asArray(message.tool_calls).map(asObject)
  return [
    ...(text === '' && calls.length > 0 ? [] : [{ role: 'assistant' as const, text }]),
    ...calls.map((call) => ({
      role: 'call' as const,
      id: asString(call.id),
      name: asString(asObject(call.function).name),
    })),
  ]
}

const toolOf = (value: unknown): ToolDeclaration => {
  const declared = asObject(asObject(value).function)
  return {
    name: asString(declared.name),
    kind: 'function',
    description: asString(declared.description),
    schema: asObject(declared.parameters) as JsonSchema,
  }
}

const outputSchema = (format: Record<string, unknown>): JsonSchema | undefined => {
  if (format.type === 'json_schema') return asObject(asObject(format.json_schema).schema) as JsonSchema
  return format.type === 'json_object' ? { type: 'object' } : undefined
}

export const readChat = (value: unknown): Conversation => {
  const body = asObject(value)
  const messages = asArray(body.messages)
  const isSystem = (message: unknown) => ['system', 'developer'].includes(asString(asObject(message).role))
  const limit = body.max_completion_tokens ?? body.max_tokens
  return {
    protocol: 'openai-chat',
    model: asString(body.model),
    stream: body.stream === true,
    system: messages
      .filter(isSystem)
      .map((message) => textOf(asObject(message).content))
      .join('\n'),
    context: messages.map((message) => textOf(asObject(message).content)).join('\n'),
    entries: messages.flatMap(entriesOf),
    tools: asArray(body.tools).map(toolOf),
    outputSchema: outputSchema(asObject(body.response_format)),
    maxTokens: typeof limit === 'number' ? limit : undefined,
    session: asString(body.prompt_cache_key) || asString(body.user),
  }
}
