import type { ErrorCode } from './errors.ts'
import type { AgentName } from './names.ts'
import type { Outcome } from './outcome.ts'
import type { CostRecord } from './usage.ts'

/** What every event has. */
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

/** What a step does. */
export type StepType = 'thinking' | 'generation' | 'tool_use' | 'review' | (string & {})
/** How dangerous a tool call is, as the agent rates it. */
export type RiskLevel = 'low' | 'medium' | 'high'
/** The stream that a native line came from. */
export type StreamSource = 'stdout' | 'stderr'

// Session
/** First event of a run. `sessionId` is '' until the agent reports it; see `session_checkpoint`. */
export type SessionStartEvent = Event<'session_start', { sessionId: string; resumed: boolean; forkedFrom?: string }>
/** `priorTurnCount` is missing where neither the agent nor its transcript says how many turns there were. */
export type SessionResumeEvent = Event<'session_resume', { sessionId: string; priorTurnCount?: number }>
/** The session was forked from another one. */
export type SessionForkEvent = Event<'session_fork', { sessionId: string; forkedFrom: string }>
/** Also sent when an agent names its session only after the run has begun. */
export type SessionCheckpointEvent = Event<'session_checkpoint', { sessionId: string; checkpointId: string }>
/** The agent has ended its session. */
export type SessionEndEvent = Event<'session_end', { sessionId: string; turnCount: number; cost?: CostRecord }>

// Turn and step
/** `prompt`: what the user said, where it is reported: in the sessions that we did not start. */
export type TurnStartEvent = Event<'turn_start', { turnIndex: number; prompt?: string }>
/** `outcome`: how the turn ended, in a run that stays open after it. Left out when it completed. */
export type TurnEndEvent = Event<'turn_end', { turnIndex: number; cost?: CostRecord; outcome?: Outcome }>
/** A step inside a turn begins. */
export type StepStartEvent = Event<'step_start', { turnIndex: number; stepIndex: number; stepType: StepType }>
/** A step inside a turn is over. */
export type StepEndEvent = Event<'step_end', { turnIndex: number; stepIndex: number }>

// Text and thinking
/** A message of the agent begins. */
export type MessageStartEvent = Event<'message_start'>
/** A piece of the answer. */
export type TextDeltaEvent = Event<'text_delta', { delta: string; accumulated: string }>
/** A message of the agent is complete; `text` has all of it. */
export type MessageStopEvent = Event<'message_stop', { text: string }>
/** The agent begins to think. */
export type ThinkingStartEvent = Event<'thinking_start', { effort?: string }>
/** A piece of the agent's thinking. */
export type ThinkingDeltaEvent = Event<'thinking_delta', { delta: string; accumulated: string }>
/** The agent has stopped thinking; `thinking` has all of it. */
export type ThinkingStopEvent = Event<'thinking_stop', { thinking: string }>

// Tools. `parentToolCallId` is set when a sub-agent made the call.
type ToolFields = { toolCallId: string; toolName: string; parentToolCallId?: string }
/** A tool call begins. */
export type ToolCallStartEvent = Event<'tool_call_start', ToolFields & { inputAccumulated: string }>
/** A piece of a tool call's input. */
export type ToolInputDeltaEvent = Event<
  'tool_input_delta',
  { toolCallId: string; delta: string; inputAccumulated: string }
>
/** The input of a tool call is complete. */
export type ToolCallReadyEvent = Event<'tool_call_ready', ToolFields & { input: unknown }>
/** A tool call gave a result. */
export type ToolResultEvent = Event<'tool_result', ToolFields & { output: unknown; durationMs: number }>
/** A tool call failed. */
export type ToolErrorEvent = Event<'tool_error', ToolFields & { error: string }>

// Files
/** The agent has read a file. */
export type FileReadEvent = Event<'file_read', { path: string }>
/** The agent has written a whole file. */
export type FileWriteEvent = Event<'file_write', { path: string; byteCount: number }>
/** The agent has created a file. */
export type FileCreateEvent = Event<'file_create', { path: string; byteCount: number }>
/** The agent has deleted a file. */
export type FileDeleteEvent = Event<'file_delete', { path: string }>
/** The agent has changed a part of a file; `diff` has the change. */
export type FilePatchEvent = Event<'file_patch', { path: string; diff: string }>

// Shell
/** A shell command begins. */
export type ShellStartEvent = Event<'shell_start', { command: string; cwd: string; toolCallId?: string }>
/** A piece of a command's output. */
export type ShellStdoutDeltaEvent = Event<'shell_stdout_delta', { delta: string; toolCallId?: string }>
/** A piece of a command's error output. */
export type ShellStderrDeltaEvent = Event<'shell_stderr_delta', { delta: string; toolCallId?: string }>
/** `exitCode` -1: ended by a signal, or the agent did not say. */
export type ShellExitEvent = Event<'shell_exit', { exitCode: number; durationMs: number; toolCallId?: string }>

// MCP
type McpFields = { toolCallId: string; server: string; toolName: string }
/** A call of an MCP tool begins. */
export type McpToolCallStartEvent = Event<'mcp_tool_call_start', McpFields & { input: unknown }>
/** A call of an MCP tool gave a result. */
export type McpToolResultEvent = Event<'mcp_tool_result', McpFields & { output: unknown }>
/** A call of an MCP tool failed. */
export type McpToolErrorEvent = Event<'mcp_tool_error', McpFields & { error: string }>

// Sub-agents, plugins, skills
type SubagentFields = { subagentId: string; agentName: string }
/** The agent has started a sub-agent. */
export type SubagentSpawnEvent = Event<'subagent_spawn', SubagentFields & { prompt: string }>
/** A sub-agent has finished. */
export type SubagentResultEvent = Event<'subagent_result', SubagentFields & { summary: string; cost?: CostRecord }>
/** A sub-agent failed. */
export type SubagentErrorEvent = Event<'subagent_error', SubagentFields & { error: string }>
type PluginFields = { pluginId: string; pluginName: string }
/** A plugin of the agent was loaded. */
export type PluginLoadedEvent = Event<'plugin_loaded', PluginFields & { version: string }>
/** A plugin of the agent was used. */
export type PluginInvokedEvent = Event<'plugin_invoked', PluginFields>
/** A plugin of the agent failed. */
export type PluginErrorEvent = Event<'plugin_error', PluginFields & { error: string }>
/** The agent has loaded a skill. */
export type SkillLoadedEvent = Event<'skill_loaded', { skillName: string; source: string }>
/** The agent uses a skill. */
export type SkillInvokedEvent = Event<'skill_invoked', { skillName: string }>
/** The agent has read a document with instructions, such as AGENTS.md. */
export type AgentdocReadEvent = Event<'agentdoc_read', { path: string }>

// Images
/** The agent has produced an image. */
export type ImageOutputEvent = Event<'image_output', { mimeType: string; base64?: string; filePath?: string }>
/** The agent has received an image. */
export type ImageInputAckEvent = Event<'image_input_ack', { mimeType: string }>

// Cost. `cost` is cumulative for this run (the last one is authoritative); `token_usage` counts since the previous one.
/** The cost of the run so far. */
export type CostEvent = Event<'cost', { cost: CostRecord }>
/** Tokens used since the last such event. */
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
/** The agent asks the user a question. */
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

/** The agent asks for a permission; answer with `approve` or `deny`. */
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
/** A permission was denied; `by` says by whom. */
export type ApprovalDeniedEvent = Event<'approval_denied', { interactionId: string; reason?: string; by?: 'policy' }>

// Limits
/** The agent waits for a rate limit. */
export type RateLimitedEvent = Event<'rate_limited', { retryAfterMs?: number; resetAt?: number; window?: string }>
/** The conversation will soon be too long for the model. */
export type ContextLimitWarningEvent = Event<
  'context_limit_warning',
  { usedTokens: number; maxTokens: number; pctUsed: number }
>
/** The agent has shortened its conversation to make room. */
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
/** The turn was interrupted. */
export type InterruptedEvent = Event<'interrupted'>
/** The run was aborted, by `abort()`, a signal or its `AbortSignal`. */
export type AbortedEvent = Event<'aborted'>
/** The run was paused. */
export type PausedEvent = Event<'paused'>
/** A paused run continues. */
export type ResumedEvent = Event<'resumed'>
/** A timeout has ended the run; `kind` says which. */
export type TimeoutEvent = Event<'timeout', { kind: 'run' | 'inactivity' }>
/** `maxTurns` was reached. */
export type TurnLimitEvent = Event<'turn_limit', { maxTurns: number }>
/** The agent cannot stream something, which then comes whole. */
export type StreamFallbackEvent = Event<
  'stream_fallback',
  { capability: 'text' | 'tool_calls' | 'thinking'; reason: string }
>

// Errors
/** The agent is not signed in; `guidance` says how to change that. */
export type AuthErrorEvent = Event<'auth_error', { message: string; guidance: string }>
/** A rate limit or a quota has stopped the agent. */
export type RateLimitErrorEvent = Event<'rate_limit_error', { message: string; retryAfterMs?: number }>
/** The conversation does not fit the model; this ends the run. */
export type ContextExceededEvent = Event<'context_exceeded', { usedTokens: number; maxTokens: number }>
/** The agent's process died; this ends the run. */
export type CrashEvent = Event<'crash', { exitCode: number; stderr: string }>
/** Something failed; `code` says what. */
export type ErrorEvent = Event<'error', { code: ErrorCode; message: string; recoverable: boolean }>

// Debug
/** A record or a note for debugging. */
export type DebugEvent = Event<'debug', { level: 'verbose' | 'info' | 'warn'; message: string }>
/** A line of the agent's stdout or stderr. */
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

/** The `type` of any event. */
export type AgentEventType = AgentEvent['type']
/** The event with this `type`. */
export type EventOfType<Type extends AgentEventType> = Extract<AgentEvent, { type: Type }>
