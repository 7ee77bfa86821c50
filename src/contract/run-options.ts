import type { ApprovalRequestEvent, InputRequiredEvent } from './events.ts'
import type { AgentName } from './names.ts'

export type ThinkingEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'
export type ApprovalMode = 'prompt' | 'accept-edits' | 'yolo' | 'deny'
export type SystemPromptMode = 'prepend' | 'append' | 'replace'
export type OutputFormat = 'text' | 'json' | 'jsonl'

/** Exactly one of `filePath`, `url`, `base64`; `mimeType` is required with `base64`. */
export interface Attachment {
  filePath?: string
  url?: string
  base64?: string
  mimeType?: string
  name?: string
}

export type McpServerConfig =
  | { name: string; transport?: 'stdio'; command: string; args?: string[]; env?: Record<string, string> }
  | { name: string; transport: 'sse' | 'streamable-http'; url: string; headers?: Record<string, string> }

/**
 * Off unless given. `maxRetries` counts tries after the first one. A rate limit that announces its reset is waited
 * for instead of the computed delay.
 */
export interface RetryPolicy {
  maxRetries?: number
  baseDelayMs?: number
  maxDelayMs?: number
  jitterFactor?: number
  retryOn?: string[]
}

/** Where the agent runs. Other modes (docker, ssh, k8s) come with the bridges. */
export type InvocationMode = { mode: 'local' }

export type EndpointProtocol = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'

/** Send the agent's model traffic somewhere else: a gateway, or the scripted server. */
export interface EndpointOverride {
  /** With or without the version of the API at its end (`/v1`): each agent gets it as its CLI wants it. */
  baseUrl: string
  apiKey: string
  /** One of the agent's `endpointProtocols`; the first of them when left out. */
  protocol?: EndpointProtocol
}

export interface RunOptions {
  agent?: AgentName
  /** Several strings are joined by a blank line. */
  prompt: string | string[]
  systemPrompt?: string
  systemPromptMode?: SystemPromptMode
  attachments?: Attachment[]
  model?: string

  thinkingEffort?: ThinkingEffort
  thinkingBudgetTokens?: number
  thinkingOverride?: Record<string, unknown>
  temperature?: number
  topP?: number
  topK?: number
  maxTokens?: number
  maxOutputTokens?: number

  /** Resume this session. At most one of `sessionId`, `forkSessionId`, `noSession`. */
  sessionId?: string
  forkSessionId?: string
  noSession?: boolean
  /** The id a *new* session gets, where the agent lets the caller choose it. */
  newSessionId?: string

  stream?: boolean | 'auto'
  outputFormat?: OutputFormat
  /** JSON schema the final answer must fit. */
  outputSchema?: Record<string, unknown>

  cwd?: string
  /** Directories besides `cwd` that the agent may use. */
  addDirs?: string[]
  /** Variables set for the agent, over the allow-listed environment. */
  env?: Record<string, string>
  /** Names of variables of this process to hand on besides the allow-list. */
  passEnv?: string[]

  timeout?: number
  inactivityTimeout?: number
  /**
   * How long the agent may take for its first sign of life; 0: as long as it likes. Three minutes unless told, for
   * agents that stream: several hang without a word when they are not signed in.
   */
  firstEventTimeout?: number
  maxTurns?: number
  /** Enforced by us from the costs that the agent reports. */
  maxCostUsd?: number
  approvalMode?: ApprovalMode
  allowedTools?: string[]
  disallowedTools?: string[]
  onInputRequired?: (event: InputRequiredEvent) => string | Promise<string>
  onApprovalRequest?: (event: ApprovalRequestEvent) => 'approve' | 'deny' | Promise<'approve' | 'deny'>

  skills?: string[]
  agentsDoc?: string
  mcpServers?: McpServerConfig[]
  endpoint?: EndpointOverride

  retryPolicy?: RetryPolicy
  tags?: string[]
  projectId?: string
  /** The unified id of a session whose hand-off the prompt is. Not sent to the agent: the lineage is recorded. */
  continuedFrom?: string
  profile?: string
  /** A ULID. */
  runId?: string
  collectEvents?: boolean
  debug?: boolean
  gracePeriodMs?: number
  /** Events held for each consumer before the child is slowed down. */
  eventBufferSize?: number
  invocation?: InvocationMode
  /** One shot: the agent's simplest headless form, no dialogue. Approvals cannot be asked for. */
  nonInteractive?: boolean
  /** Stay open after a turn until `close()`. Without it a run ends when a turn ends and nobody has sent another. */
  keepOpen?: boolean
  signal?: AbortSignal
}
