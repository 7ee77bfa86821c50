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

export type EventGroup = keyof typeof EVENT_GROUPS
type GroupEvent<G extends EventGroup> = EventOfType<(typeof EVENT_GROUPS)[G][number]>

export const AGENT_EVENT_TYPES: readonly AgentEventType[] = Object.values(EVENT_GROUPS).flat()

export function isEventType<Type extends AgentEventType>(event: AgentEvent, type: Type): event is EventOfType<Type> {
  return event.type === type
}

function groupGuard<G extends EventGroup>(group: G): (event: AgentEvent) => event is GroupEvent<G> {
  const types: ReadonlySet<AgentEventType> = new Set(EVENT_GROUPS[group])
  return (event): event is GroupEvent<G> => types.has(event.type)
}

export const isSessionEvent = groupGuard('session')
export const isTurnEvent = groupGuard('turn')
export const isTextEvent = groupGuard('text')
export const isThinkingEvent = groupGuard('thinking')
export const isToolEvent = groupGuard('tool')
export const isFileEvent = groupGuard('file')
export const isShellEvent = groupGuard('shell')
export const isMcpEvent = groupGuard('mcp')
export const isSubagentEvent = groupGuard('subagent')
export const isPluginEvent = groupGuard('plugin')
export const isSkillEvent = groupGuard('skill')
export const isImageEvent = groupGuard('image')
export const isCostEvent = groupGuard('cost')
export const isInteractionEvent = groupGuard('interaction')
export const isLimitEvent = groupGuard('limit')
export const isControlEvent = groupGuard('control')
export const isErrorEvent = groupGuard('error')
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
export type CorrelationKey = (typeof CORRELATION_KEYS)[number]

export function hasCorrelationKey<Key extends CorrelationKey>(
  event: AgentEvent,
  key: Key,
): event is Extract<AgentEvent, Record<Key, string>> {
  return key in event
}

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
