import type { AgentEvent, AgentEventType, EventOfType } from './events.ts'

/** Event types by group, in the order of the reference. The one list everything else derives from. */
export const EVENT_GROUPS = {
  session: ['session_start', 'session_resume', 'session_fork', 'session_checkpoint', 'session_end'],
  turn: ['turn_start', 'turn_end', 'step_start', 'step_end'],
  text: ['message_start', 'text_delta', 'message_stop'],
  thinking: ['thinking_start', 'thinking_delta', 'thinking_stop'],
  tool: ['tool_call_start', 'tool_input_delta', 'tool_call_ready', 'tool_result', 'tool_error'],
  file: ['file_read', 'file_write', 'file_create', 'file_delete', 'file_patch'],
  shell: ['shell_start', 'shell_stdout_delta', 'shell_stderr_delta', 'shell_exit'],
  mcp: ['mcp_tool_call_start', 'mcp_tool_result', 'mcp_tool_error'],
  subagent: ['subagent_spawn', 'subagent_result', 'subagent_error'],
  plugin: ['plugin_loaded', 'plugin_invoked', 'plugin_error'],
  skill: ['skill_loaded', 'skill_invoked', 'agentdoc_read'],
  image: ['image_output', 'image_input_ack'],
  cost: ['cost', 'token_usage'],
  interaction: ['input_required', 'approval_request', 'approval_granted', 'approval_denied'],
  limit: ['rate_limited', 'context_limit_warning', 'context_compacted', 'retry', 'attempt_withdrawn'],
  control: ['interrupted', 'aborted', 'paused', 'resumed', 'timeout', 'turn_limit', 'stream_fallback'],
  error: ['auth_error', 'rate_limit_error', 'context_exceeded', 'crash', 'error'],
  debug: ['debug', 'log'],
} as const satisfies Record<string, readonly AgentEventType[]>

/** A group of related events, such as `tool` or `shell`. */
export type EventGroup = keyof typeof EVENT_GROUPS
type GroupEvent<G extends EventGroup> = EventOfType<(typeof EVENT_GROUPS)[G][number]>

/** The types of all events, in the order of their groups. */
export const AGENT_EVENT_TYPES: readonly AgentEventType[] = Object.values(EVENT_GROUPS).flat()

/** Whether an event has this type. */
export function isEventType<Type extends AgentEventType>(event: AgentEvent, type: Type): event is EventOfType<Type> {
  return event.type === type
}

function groupGuard<G extends EventGroup>(group: G): (event: AgentEvent) => event is GroupEvent<G> {
  const types: ReadonlySet<AgentEventType> = new Set(EVENT_GROUPS[group])
  return (event): event is GroupEvent<G> => types.has(event.type)
}

/** Whether an event is about the session. */
export const isSessionEvent = groupGuard('session')
/** Whether an event is about a turn or a step. */
export const isTurnEvent = groupGuard('turn')
/** Whether an event is about the text of the answer. */
export const isTextEvent = groupGuard('text')
/** Whether an event is about thinking. */
export const isThinkingEvent = groupGuard('thinking')
/** Whether an event is about a tool call. */
export const isToolEvent = groupGuard('tool')
/** Whether an event is about a file. */
export const isFileEvent = groupGuard('file')
/** Whether an event is about a shell command. */
export const isShellEvent = groupGuard('shell')
/** Whether an event is about an MCP tool. */
export const isMcpEvent = groupGuard('mcp')
/** Whether an event is about a sub-agent. */
export const isSubagentEvent = groupGuard('subagent')
/** Whether an event is about a plugin. */
export const isPluginEvent = groupGuard('plugin')
/** Whether an event is about a skill or an agent document. */
export const isSkillEvent = groupGuard('skill')
/** Whether an event is about an image. */
export const isImageEvent = groupGuard('image')
/** Whether an event is about tokens or cost. */
export const isCostEvent = groupGuard('cost')
/** Whether an event is about an approval or a question. */
export const isInteractionEvent = groupGuard('interaction')
/** Whether an event is about a limit, a retry, or what a retry withdraws. */
export const isLimitEvent = groupGuard('limit')
/** Whether an event says that the run was interrupted, aborted, paused, resumed, timed out or limited. */
export const isControlEvent = groupGuard('control')
/** Whether an event is an error. */
export const isErrorEvent = groupGuard('error')
/** Whether an event is for debugging. */
export const isDebugEvent = groupGuard('debug')

const TERMINAL: ReadonlySet<AgentEventType> = new Set([
  'interrupted',
  'aborted',
  'timeout',
  'turn_limit',
  'auth_error',
  'context_exceeded',
  'crash',
])

/** After a terminal event only `session_end`, `debug` and `log` follow. A successful run has none. */
export function isTerminalEvent(event: { type: AgentEventType; recoverable?: boolean }): boolean {
  return TERMINAL.has(event.type) || (event.type === 'error' && event.recoverable === false)
}

const CORRELATION_KEYS = ['toolCallId', 'subagentId', 'interactionId', 'pluginId', 'sessionId'] as const
/** The fields that connect events: the id of a tool call, a message, a sub-agent and so on. */
export type CorrelationKey = (typeof CORRELATION_KEYS)[number]

/** Whether an event has this key. */
export function hasCorrelationKey<Key extends CorrelationKey>(
  event: AgentEvent,
  key: Key,
): event is Extract<AgentEvent, Record<Key, string>> {
  return key in event
}

/** The events of these types. */
export function filterEvents<Type extends AgentEventType>(
  events: readonly AgentEvent[],
  ...types: Type[]
): EventOfType<Type>[] {
  const wanted: ReadonlySet<AgentEventType> = new Set(types)
  return events.filter((event): event is EventOfType<Type> => wanted.has(event.type))
}

/** The cost of a run: `cost` events are cumulative, so the last one of each run counts. Null when none was reported. */
export function sumCost(events: readonly AgentEvent[]): number | null {
  const lastByRun = new Map<string, number>()
  for (const event of events) if (event.type === 'cost') lastByRun.set(event.runId, event.cost.totalUsd)
  return lastByRun.size === 0 ? null : [...lastByRun.values()].reduce((sum, usd) => sum + usd, 0)
}

/** `accumulated` grows with every delta, so writing it would cost quadratic bytes: readers rebuild it from `delta`. */
export function serializeEvent(event: AgentEvent): string {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
      return JSON.stringify({ ...event, accumulated: undefined })
    case 'tool_call_start':
    case 'tool_input_delta':
      return JSON.stringify({ ...event, inputAccumulated: undefined })
    default:
      return JSON.stringify(event)
  }
}
