import type { JsonSchema } from './schema.ts'
import type { Protocol } from './types.ts'

export type ToolDeclaration = {
  name: string
  /** Codex groups tools in namespaces; the call must carry the namespace apart from the name. */
  namespace?: string
  /** `freeform` takes raw text, `search` loads deferred tools, `local-shell` is the Responses built-in. */
  kind: 'function' | 'freeform' | 'search' | 'local-shell'
  description: string
  schema: JsonSchema
}

export type Entry =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string }
  | { role: 'call'; id: string; name: string }
  | { role: 'result'; id: string; text: string; tools?: ToolDeclaration[] }

/** A request in a form all wires share. `user` entries are what a person typed; what the CLI injects is left out. */
export type Conversation = {
  protocol: Protocol
  model: string
  stream: boolean
  system: string
  /** Everything said, injected text included: where the working directory and the deferred tools are announced. */
  context: string
  entries: Entry[]
  tools: ToolDeclaration[]
  outputSchema?: JsonSchema
  maxTokens?: number
  /** Tells conversations of one scenario apart, where the CLI sends a session id in the body. */
  session: string
}

export type ToolCall = {
  id: string
  name: string
  namespace?: string
  kind: ToolDeclaration['kind']
  input: Record<string, unknown> | string
}

/** Reads an unknown JSON value as an object; anything else is an empty one. */
export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text of a string or of an array of parts that have a `text`, in every wire's spelling. */
export const textParts = (content: unknown): string[] =>
  typeof content === 'string'
    ? [content]
    : asArray(content)
        .map((part) => (typeof part === 'string' ? part : asString(asObject(part).text)))
        .filter((text) => text !== '')

export const textOf = (content: unknown): string => textParts(content).join('\n')
