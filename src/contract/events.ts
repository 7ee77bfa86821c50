import type { ErrorCode } from './errors.ts'
import type { AgentName } from './names.ts'
import type { Outcome } from './outcome.ts'
import type { CostRecord } from './usage.ts'

export interface BaseEvent {
  runId: string
  agent: AgentName
  /** Epoch milliseconds, never decreasing within a run. */
  timestamp: number
  /** The native record this event came from; only in debug mode. */
  raw?: unknown
  /** Set to `hook` when the event came from the agent's hooks rather than its stream. */
  origin?: 'hook'
}

type Event<Type extends string, Fields = object> = BaseEvent & { type: Type } & Fields

export type StepType = 'thinking' | 'generation' | 'tool_use' | 'review' | (string & {})
export type RiskLevel = 'low' | 'medium' | 'high'
export type StreamSource = 'stdout' | 'stderr'

// Session
/** First event of a run. `sessionId` is '' until the agent reports it; see `session_checkpoint`. */
export type SessionStartEvent = Event<'session_start', { sessionId: string; resumed: boolean; forkedFrom?: string }>
/** `priorTurnCount` is missing where neither the agent nor its transcript says how many turns there were. */
export type SessionResumeEvent = Event<'session_resume', { sessionId: string; priorTurnCount?: number }>
export type SessionForkEvent = Event<'session_fork', { sessionId: string; forkedFrom: string }>
/** Also sent when an agent names its session only after the run has begun. */
export type SessionCheckpointEvent = Event<'session_checkpoint', { sessionId: string; checkpointId: string }>
export type SessionEndEvent = Event<'session_end', { sessionId: string; turnCount: number; cost?: CostRecord }>

// Turn and step
/** `prompt`: what the user said, where it is reported: in the sessions that we did not start. */
export type TurnStartEvent = Event<'turn_start', { turnIndex: number; prompt?: string }>
/** `outcome`: how the turn ended, in a run that stays open after it. Left out when it completed. */
export type TurnEndEvent = Event<'turn_end', { turnIndex: number; cost?: CostRecord; outcome?: Outcome }>
export type StepStartEvent = Event<'step_start', { turnIndex: number; stepIndex: number; stepType: StepType }>
export type StepEndEvent = Event<'step_end', { turnIndex: number; stepIndex: number }>

// Text and thinking
export type MessageStartEvent = Event<'message_start'>
export type TextDeltaEvent = Event<'text_delta', { delta: string; accumulated: string }>
export type MessageStopEvent = Event<'message_stop', { text: string }>
export type ThinkingStartEvent = Event<'thinking_start', { effort?: string }>
export type ThinkingDeltaEvent = Event<'thinking_delta', { delta: string; accumulated: string }>
export type ThinkingStopEvent = Event<'thinking_stop', { thinking: string }>

// Tools. `parentToolCallId` is set when a sub-agent made the call.
type ToolFields = { toolCallId: string; toolName: string; parentToolCallId?: string }
export type ToolCallStartEvent = Event<'tool_call_start', ToolFields & { inputAccumulated: string }>
export type ToolInputDeltaEvent = Event<
  'tool_input_delta',
  { toolCallId: string; delta: string; inputAccumulated: string }
>
export type ToolCallReadyEvent = Event<'tool_call_ready', ToolFields & { input: unknown }>
export type ToolResultEvent = Event<'tool_result', ToolFields & { output: unknown; durationMs: number }>
export type ToolErrorEvent = Event<'tool_error', ToolFields & { error: string }>

// Files
export type FileReadEvent = Event<'file_read', { path: string }>
export type FileWriteEvent = Event<'file_write', { path: string; byteCount: number }>
export type FileCreateEvent = Event<'file_create', { path: string; byteCount: number }>
export type FileDeleteEvent = Event<'file_delete', { path: string }>
export type FilePatchEvent = Event<'file_patch', { path: string; diff: string }>

// Shell
export type ShellStartEvent = Event<'shell_start', { command: string; cwd: string; toolCallId?: string }>
export type ShellStdoutDeltaEvent = Event<'shell_stdout_delta', { delta: string; toolCallId?: string }>
export type ShellStderrDeltaEvent = Event<'shell_stderr_delta', { delta: string; toolCallId?: string }>
/** `exitCode` -1: ended by a signal, or the agent did not say. */
export type ShellExitEvent = Event<'shell_exit', { exitCode: number; durationMs: number; toolCallId?: string }>

// MCP
type McpFields = { toolCallId: string; server: string; toolName: string }
export type McpToolCallStartEvent = Event<'mcp_tool_call_start', McpFields & { input: unknown }>
export type McpToolResultEvent = Event<'mcp_tool_result', McpFields & { output: unknown }>
export type McpToolErrorEvent = Event<'mcp_tool_error', McpFields & { error: string }>

// Sub-agents, plugins, skills
type SubagentFields = { subagentId: string; agentName: string }
export type SubagentSpawnEvent = Event<'subagent_spawn', SubagentFields & { prompt: string }>
export type SubagentResultEvent = Event<'subagent_result', SubagentFields & { summary: string; cost?: CostRecord }>
export type SubagentErrorEvent = Event<'subagent_error', SubagentFields & { error: string }>
type PluginFields = { pluginId: string; pluginName: string }
export type PluginLoadedEvent = Event<'plugin_loaded', PluginFields & { version: string }>
export type PluginInvokedEvent = Event<'plugin_invoked', PluginFields>
export type PluginErrorEvent = Event<'plugin_error', PluginFields & { error: string }>
export type SkillLoadedEvent = Event<'skill_loaded', { skillName: string; source: string }>
export type SkillInvokedEvent = Event<'skill_invoked', { skillName: string }>
export type AgentdocReadEvent = Event<'agentdoc_read', { path: string }>

// Images
export type ImageOutputEvent = Event<'image_output', { mimeType: string; base64?: string; filePath?: string }>
export type ImageInputAckEvent = Event<'image_input_ack', { mimeType: string }>

// Cost. `cost` is cumulative for this run (the last one is authoritative); `token_usage` counts since the previous one.
export type CostEvent = Event<'cost', { cost: CostRecord }>
export type TokenUsageEvent = Event<
  'token_usage',
  {
    inputTokens: number
    outputTokens: number
    thinkingTokens?: number
    cachedTokens?: number
    cacheReadTokens?: number
    cacheCreationTokens?: number
    model?: string
    costUsd?: number
    /** The provider's tier that served it, where the agent reports one: `standard`, `priority`… */
    serviceTier?: string
  }
>

// Interaction
export type InputRequiredEvent = Event<
  'input_required',
  { interactionId: string; question: string; context?: string; options?: string[]; source: 'agent' | 'tool' }
>
/** What a call does, in the same words for all agents. */
export type AccessKind = 'read' | 'edit' | 'execute' | 'fetch' | 'mcp' | 'other'

/** What a call would touch, as far as its input says. */
export interface ToolAccess {
  kind?: AccessKind
  /** Of reads and edits, as the agent wrote them. Left out: the request does not say all that it would touch. */
  paths?: string[]
  /** The whole command of `execute`. */
  command?: string
  /** Where the command runs, if not in the directory of the run. */
  cwd?: string
}

export type ApprovalRequestEvent = Event<
  'approval_request',
  {
    interactionId: string
    action: string
    detail: string
    toolName?: string
    toolCallId?: string
    riskLevel: RiskLevel
    /** The input of the tool, as the agent wrote it. */
    input?: unknown
  } & ToolAccess
>
/** `by`: a policy decided, not a person; `reason` is that of its rule. */
export type ApprovalGrantedEvent = Event<'approval_granted', { interactionId: string; reason?: string; by?: 'policy' }>
export type ApprovalDeniedEvent = Event<'approval_denied', { interactionId: string; reason?: string; by?: 'policy' }>

// Limits
export type RateLimitedEvent = Event<'rate_limited', { retryAfterMs?: number; resetAt?: number; window?: string }>
export type ContextLimitWarningEvent = Event<
  'context_limit_warning',
  { usedTokens: number; maxTokens: number; pctUsed: number }
>
export type ContextCompactedEvent = Event<'context_compacted', { summary: string; tokensSaved: number }>
/** The agent itself, or our retry policy, tries again. `attempt` is the 1-based number of the retry. */
export type RetryEvent = Event<'retry', { attempt: number; maxAttempts: number; reason: string; delayMs: number }>
/**
 * What was streamed no longer counts, because another attempt follows with the next `retry`. Everything it had open was
 * closed before. Take back `text` (the withdrawn messages, joined as they were streamed) and the tool calls.
 * `scope: 'run'`: our retry policy starts the agent again, and the whole run up to here is withdrawn; a turn that is open
 * goes on, one that has ended is counted again. `scope: 'response'`: the agent itself asks its model again, and only the
 * partial response is withdrawn. Tokens and cost of withdrawn attempts still count.
 */
export type AttemptWithdrawnEvent = Event<
  'attempt_withdrawn',
  { attempt: number; reason: string; scope: 'run' | 'response'; text: string; toolCallIds: string[] }
>

// Control
export type InterruptedEvent = Event<'interrupted'>
export type AbortedEvent = Event<'aborted'>
export type PausedEvent = Event<'paused'>
export type ResumedEvent = Event<'resumed'>
export type TimeoutEvent = Event<'timeout', { kind: 'run' | 'inactivity' }>
export type TurnLimitEvent = Event<'turn_limit', { maxTurns: number }>
export type StreamFallbackEvent = Event<
  'stream_fallback',
  { capability: 'text' | 'tool_calls' | 'thinking'; reason: string }
>

// Errors
export type AuthErrorEvent = Event<'auth_error', { message: string; guidance: string }>
export type RateLimitErrorEvent = Event<'rate_limit_error', { message: string; retryAfterMs?: number }>
export type ContextExceededEvent = Event<'context_exceeded', { usedTokens: number; maxTokens: number }>
export type CrashEvent = Event<'crash', { exitCode: number; stderr: string }>
export type ErrorEvent = Event<'error', { code: ErrorCode; message: string; recoverable: boolean }>

// Debug
export type DebugEvent = Event<'debug', { level: 'verbose' | 'info' | 'warn'; message: string }>
export type LogEvent = Event<'log', { source: StreamSource; line: string }>

/** Discriminated by `type`: a `switch` on it narrows without casts. */
export type AgentEvent =
  | SessionStartEvent
  | SessionResumeEvent
  | SessionForkEvent
  | SessionCheckpointEvent
  | SessionEndEvent
  | TurnStartEvent
  | TurnEndEvent
  | StepStartEvent
  | StepEndEvent
  | MessageStartEvent
  | TextDeltaEvent
  | MessageStopEvent
  | ThinkingStartEvent
  | ThinkingDeltaEvent
  | ThinkingStopEvent
  | ToolCallStartEvent
  | ToolInputDeltaEvent
  | ToolCallReadyEvent
  | ToolResultEvent
  | ToolErrorEvent
  | FileReadEvent
  | FileWriteEvent
  | FileCreateEvent
  | FileDeleteEvent
  | FilePatchEvent
  | ShellStartEvent
  | ShellStdoutDeltaEvent
  | ShellStderrDeltaEvent
  | ShellExitEvent
  | McpToolCallStartEvent
  | McpToolResultEvent
  | McpToolErrorEvent
  | SubagentSpawnEvent
  | SubagentResultEvent
  | SubagentErrorEvent
  | PluginLoadedEvent
  | PluginInvokedEvent
  | PluginErrorEvent
  | SkillLoadedEvent
  | SkillInvokedEvent
  | AgentdocReadEvent
  | ImageOutputEvent
  | ImageInputAckEvent
  | CostEvent
  | TokenUsageEvent
  | InputRequiredEvent
  | ApprovalRequestEvent
  | ApprovalGrantedEvent
  | ApprovalDeniedEvent
  | RateLimitedEvent
  | ContextLimitWarningEvent
  | ContextCompactedEvent
  | RetryEvent
  | AttemptWithdrawnEvent
  | InterruptedEvent
  | AbortedEvent
  | PausedEvent
  | ResumedEvent
  | TimeoutEvent
  | TurnLimitEvent
  | StreamFallbackEvent
  | AuthErrorEvent
  | RateLimitErrorEvent
  | ContextExceededEvent
  | CrashEvent
  | ErrorEvent
  | DebugEvent
  | LogEvent

export type AgentEventType = AgentEvent['type']
export type EventOfType<Type extends AgentEventType> = Extract<AgentEvent, { type: Type }>
