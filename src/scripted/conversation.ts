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
  /** Distinguishes conversations of one scenario, where the CLI sends a session id in the body. */
  session: string
}

export type ToolCall = {
  id: string
  name: string
  namespace?: string
  kind: ToolDeclaration['kind']
  input: Record<string, unknown> | string
}
