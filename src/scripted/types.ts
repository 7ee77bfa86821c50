import type { IncomingHttpHeaders } from 'node:http'

/** The four model APIs the real CLIs speak. */
export type Protocol = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'

/** What the model wants done, without naming a tool: each agent calls its shell, its file writer and so on differently. */
export type ToolIntent =
  | { intent: 'shell'; command: string; escalate?: boolean }
  | { intent: 'write'; path: string; content: string }
  | { intent: 'read'; path: string }
  | { intent: 'mcp'; server: string; tool: string; input: Record<string, unknown> }
  | { intent: 'subagent'; prompt: string }
  | { intent: 'question'; question: string; options: string[] }
  | { intent?: undefined; name: string; input: Record<string, unknown> | string }

/**
 * Token counts as disjoint parts. Each wire adds them up its own way: OpenAI and Gemini report `input + cacheRead +
 * cacheWrite` as prompt tokens, Anthropic reports the three apart. `reasoning` is counted only in replies that think.
 */
export type ScriptedUsage = { input: number; cacheRead: number; cacheWrite: number; output: number; reasoning: number }

/** A failure that the scripted model can play. */
export type FailureKind =
  | '401'
  | '403'
  | '404-model'
  | '429'
  | 'quota'
  | 'credit'
  | '500'
  | 'overloaded'
  | 'context'
  | 'context-400'

/**
 * One model reply. In `text`, `thinking` and tool strings `{turn}` is the number of user turns seen, `{step}` the number
 * of tool rounds since the last one, `{first}` and `{last}` the first and the newest user message.
 */
export type Say = {
  thinking?: string
  text?: string
  tools?: ToolIntent[]
  /** Answer with JSON that fits the schema the request asks for (plain `text` when it asks for none). */
  json?: boolean
  stop?: 'refusal' | 'max_tokens'
  usage?: Partial<ScriptedUsage>
  /** Characters per streamed delta. */
  chunkSize?: number
  /** Pause after each delta. */
  chunkDelayMs?: number
  /** Destroy the socket once this many characters were sent. */
  cutAfterChars?: number
  /** End the response there instead, as if that were all. */
  cutsCleanly?: boolean
  /** A reply that is sent this often, and then the next one. */
  times?: number
}

/** With `times` the request fails that often and then gets the next reply; without, it fails always. */
export type Fail = { fail: FailureKind; retryAfterSeconds?: number; times?: number }

/** What the scripted model answers. */
export type Reply = Say | Fail

/** `turns[k]` is what the model does in the k-th user turn, one reply per tool round. The last turn and reply repeat. */
export type Scenario = { name: string; description: string; turns: Reply[][] }

/** What a request to the server is for. */
export type RequestKind = 'model' | 'count-tokens' | 'models' | 'health' | 'unhandled'

/** A request that the server has received. */
export type RecordedRequest = {
  kind: RequestKind
  protocol?: Protocol
  scenario: string
  method: string
  /** The path as sent, with the `/s/<name>` prefix and the query. */
  url: string
  /** As sent. `toJSON` masks the values of the authorization headers, so a record can be stored. */
  headers: IncomingHttpHeaders
  keySent: boolean
  body: unknown
  /** A side call of the agent (title, quota check, summary), answered apart from the scenario. */
  helper: boolean
  /** Number of user turns in the request, and of tool rounds since the last of them. */
  turn: number
  step: number
  status: number
  /** The names of the tools the reply called. */
  calledTools: string[]
  /** What the reply said that it has used; none when it failed. */
  usage?: ScriptedUsage
  /** When the reply was complete. */
  answeredAt?: number
  /** The client closed the connection before the reply was complete: an interrupt. */
  aborted: boolean
  /** The server broke the connection on purpose, by the scenario. */
  cut: boolean
  toJSON(): object
}

/** A running scripted server. */
export type ScriptedServer = {
  url: string
  port: number
  /** Every request so far, in order of arrival, unhandled ones included. */
  requests: RecordedRequest[]
  /** The first request, past or future, that satisfies the predicate. */
  waitForRequest(predicate: (request: RecordedRequest) => boolean, timeoutMs?: number): Promise<RecordedRequest>
  /** Changes the scenario of requests without a `/s/<name>` prefix, and forgets how often a `times` failure was served. */
  use(scenario: string | Scenario): void
  /** The base URL to give to a CLI, in the form its wire expects. */
  baseUrl(protocol: Protocol, scenario?: string): string
  /** Stops listening and destroys open connections. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What `startScriptedServer` takes. */
export type ScriptedServerOptions = {
  /** The scenario of requests without a `/s/<name>` prefix; `text` by default. */
  scenario?: string | Scenario
  /** Added to the built-in ones, and preferred to them where a name is the same. */
  scenarios?: Record<string, Scenario>
  port?: number
}
