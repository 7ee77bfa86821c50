import type { ApprovalRequestEvent, InputRequiredEvent } from './events.ts'
import type { AgentName } from './names.ts'
import type { OutputSchema } from './output-schema.ts'
import type { Policy } from './policy.ts'

/** How much the model thinks. */
export type ThinkingEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'
/** What an agent may do without asking. */
export type ApprovalMode = 'prompt' | 'accept-edits' | 'yolo' | 'deny'
/** How a system prompt is combined with the agent's own. */
export type SystemPromptMode = 'prepend' | 'append' | 'replace'
/** Settings of the model that few CLIs have a place for. */
export type SamplingOption = 'temperature' | 'topP' | 'topK' | 'maxTokens' | 'maxOutputTokens'
/** What `amux run` prints. */
export type OutputFormat = 'text' | 'json' | 'jsonl'

/** Exactly one of `filePath`, `url`, `base64`; `mimeType` is required with `base64`. */
export interface Attachment {
  filePath?: string | undefined
  url?: string | undefined
  base64?: string | undefined
  mimeType?: string | undefined
  name?: string | undefined
}

/** An MCP server for one run. */
export type McpServerConfig =
  | { name: string; transport?: 'stdio'; command: string; args?: string[]; env?: Record<string, string> }
  | { name: string; transport: 'sse' | 'streamable-http'; url: string; headers?: Record<string, string> }

/**
 * Off unless given. `maxRetries` counts tries after the first one. A rate limit that announces its reset is waited
 * for instead of the computed delay.
 */
export interface RetryPolicy {
  maxRetries?: number | undefined
  baseDelayMs?: number | undefined
  maxDelayMs?: number | undefined
  jitterFactor?: number | undefined
  retryOn?: string[] | undefined
}

/** In dollars per million tokens. Cached tokens cost what other input does unless they have a price of their own. */
export interface ModelPrice {
  input: number
  output: number
  cacheRead?: number | undefined
  cacheWrite?: number | undefined
}

/** Where the agent runs. Other modes (docker, ssh, k8s) come with the bridges. */
export type InvocationMode = { mode: 'local' }

/** The API that an endpoint speaks. */
export type EndpointProtocol = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'

/** Send the agent's model traffic somewhere else: a gateway, or the scripted server. */
export interface EndpointOverride {
  /** With or without the version of the API at its end (`/v1`): each agent gets it as its CLI wants it. */
  baseUrl: string
  apiKey: string
  /** One of the agent's `endpointProtocols`; the first of them when left out. */
  protocol?: EndpointProtocol | undefined
}

/** Everything that `run` takes. */
export interface RunOptions {
  agent?: AgentName | undefined
  /** Several strings are joined by a blank line. */
  prompt: string | string[]
  systemPrompt?: string | undefined
  systemPromptMode?: SystemPromptMode | undefined
  attachments?: Attachment[] | undefined
  model?: string | undefined

  thinkingEffort?: ThinkingEffort | undefined
  thinkingBudgetTokens?: number | undefined
  thinkingOverride?: Record<string, unknown> | undefined
  /** These five are refused where the agent has no setting for them, unless `lenient` is given. */
  temperature?: number | undefined
  topP?: number | undefined
  topK?: number | undefined
  maxTokens?: number | undefined
  maxOutputTokens?: number | undefined
  /** Go on without model settings (`temperature`, `topP`, `topK`, `maxTokens`) that the agent has no place for. */
  lenient?: boolean | undefined

  /** Resume this session. At most one of `sessionId`, `forkSessionId`, `noSession`. */
  sessionId?: string | undefined
  forkSessionId?: string | undefined
  noSession?: boolean | undefined
  /** The id a *new* session gets, where the agent lets the caller choose it. */
  newSessionId?: string | undefined

  stream?: boolean | 'auto' | undefined
  outputFormat?: OutputFormat | undefined
  /**
   * What the final answer must fit: a JSON schema, a Standard Schema (Zod, Valibot, ArkType), or both. `structuredOutput`
   * of the result has the type of it. An answer that does not fit is asked for once more; then the outcome is
   * `output_invalid`.
   */
  outputSchema?: OutputSchema | undefined

  cwd?: string | undefined
  /** Directories besides `cwd` that the agent may use. */
  addDirs?: string[] | undefined
  /** Variables set for the agent, over the allow-listed environment. */
  env?: Record<string, string> | undefined
  /** Names of variables of this process to hand on besides the allow-list. */
  passEnv?: string[] | undefined

  timeout?: number | undefined
  inactivityTimeout?: number | undefined
  /**
   * How long the agent may take for its first sign of life; 0: as long as it likes. Three minutes by default, for
   * agents that stream: several hang without a word when they are not signed in.
   */
  firstEventTimeout?: number | undefined
  /**
   * How long the agent may try again at a rate limit without progress; 30 seconds unless set. Then, or at once when the
   * limit is known to last longer, the run ends as `rate_limited` or `quota_exhausted`, and `retryPolicy` or the daemon
   * decides what follows. 0: as long as it likes.
   */
  limitGraceMs?: number | undefined
  /**
   * How long the agent may try again without progress while its server fails, is overloaded or cannot be reached; two
   * minutes unless set. Then the run ends as `failed`, with the server's words. 0: as long as it likes.
   */
  outageGraceMs?: number | undefined
  /**
   * The longest that `retryPolicy` waits for a limit whose end is known; ten minutes unless set. At one that lasts longer
   * the run ends, with the time at which the limit does. 0: however long that is.
   */
  retryMaxWaitMs?: number | undefined
  /**
   * How long the agent's process may stay after its last result before it is ended; ten seconds unless set, and ten
   * minutes while a sub-agent is known to run. The result is kept. 0: as long as it likes.
   */
  exitGraceMs?: number | undefined
  /**
   * How many requests the agent may make to its model for one prompt; those of its sub-agents do not count. One that
   * wants more ends as `turn_limit`: before the next request where its CLI counts so itself, else as soon as that is
   * seen to be made.
   */
  maxTurns?: number | undefined
  /**
   * The run is ended as soon as it has cost more, within one request to the model, by what the agent reports or by list
   * prices. A model without a price is refused unless `price` is given.
   */
  maxCostUsd?: number | undefined
  /** What the model costs, for requests whose cost the agent does not report itself; in place of list prices. */
  price?: ModelPrice | undefined
  approvalMode?: ApprovalMode | undefined
  allowedTools?: string[] | undefined
  disallowedTools?: string[] | undefined
  /** Answers what the agent asks for; a path is absolute or begins with `~/`. The agent has to be one that asks. */
  policy?: Policy | string | undefined
  onInputRequired?: ((event: InputRequiredEvent) => string | Promise<string>) | undefined
  onApprovalRequest?: ((event: ApprovalRequestEvent) => 'approve' | 'deny' | Promise<'approve' | 'deny'>) | undefined

  skills?: string[] | undefined
  agentsDoc?: string | undefined
  mcpServers?: McpServerConfig[] | undefined
  endpoint?: EndpointOverride | undefined

  retryPolicy?: RetryPolicy | undefined
  tags?: string[] | undefined
  projectId?: string | undefined
  /** The unified id of a session whose hand-off the prompt is. Not sent to the agent: the lineage is recorded. */
  continuedFrom?: string | undefined
  profile?: string | undefined
  /** A ULID. */
  runId?: string | undefined
  collectEvents?: boolean | undefined
  debug?: boolean | undefined
  gracePeriodMs?: number | undefined
  /** Events held for each consumer before the child is slowed down. */
  eventBufferSize?: number | undefined
  invocation?: InvocationMode | undefined
  /** One shot: the agent's simplest headless form, no dialogue. Approvals cannot be asked for. */
  nonInteractive?: boolean | undefined
  /** Stay open after a turn until `close()`. Without it a run ends when a turn ends and nobody has sent another. */
  keepOpen?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Options with a schema, which gives `structuredOutput` its type. `RunOptions & …` would compare the two schemas, and
 * TypeScript 5.9 does not finish that with ArkType's.
 */
export type RunOptionsFor<Schema extends OutputSchema> = Omit<RunOptions, 'outputSchema'> & { outputSchema: Schema }
