import type { Conversation, Entry, ToolDeclaration } from '../conversation.ts'
import { asArray, asObject, asString, textOf, textParts } from '../json.ts'
import type { JsonSchema } from '../schema.ts'
import { userEntries } from '../synthetic.ts'

const entriesOf = (value: unknown): Entry[] => {
  const content = asObject(value)
  const parts = asArray(content.parts).map(asObject)
  if (content.role === 'model')
    return parts.flatMap((part): Entry[] => {
      const call = asObject(part.functionCall)
      if (part.functionCall) return [{ role: 'call', id: asString(call.id), name: asString(call.name) }]
      return part.thought === true || part.text === undefined ? [] : [{ role: 'assistant', text: asString(part.text) }]
    })
  const results = parts.flatMap((part): Entry[] => {
    const result = asObject(part.functionResponse)
    return part.functionResponse
      ? [{ role: 'result', id: asString(result.id), text: JSON.stringify(result.response ?? '') }]
      : []
  })
  return results.length > 0 ? results : userEntries(textParts(content.parts))
}

const toolOf = (value: unknown): ToolDeclaration => {
  const declared = asObject(value)
  return {
    name: asString(declared.name),
    kind: 'function',
    description: asString(declared.description),
    schema: asObject(declared.parametersJsonSchema ?? declared.parameters) as JsonSchema,
  }
}

/** The model and the wish to stream are in the path: `/v1beta/models/<model>:streamGenerateContent`. */
export const readGemini = (value: unknown, path: string): Conversation => {
  const body = asObject(value)
  const contents = asArray(body.contents)
  const config = asObject(body.generationConfig)
  const system = textOf(asObject(body.systemInstruction).parts)
  const schema = config.responseJsonSchema ?? config.responseSchema
  return {
    protocol: 'gemini',
    model: /models\/([^:/]+)/.exec(path)?.[1] ?? '',
    stream: path.includes(':streamGenerateContent'),
    system,
    context: [system, ...contents.map((content) => textOf(asObject(content).parts))].join('\n'),
    entries: contents.flatMap(entriesOf),
    tools: asArray(body.tools).flatMap((group) => asArray(asObject(group).functionDeclarations).map(toolOf)),
    outputSchema: schema ? (asObject(schema) as JsonSchema) : undefined,
    maxTokens: typeof config.maxOutputTokens === 'number' ? config.maxOutputTokens : undefined,
    session: '',
  }
}
