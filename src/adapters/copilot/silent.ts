/** Records of CLI 1.0.102 that tell a caller nothing, by the first part of their name where all of it is so. */
const SILENT_FAMILIES: ReadonlySet<string> = new Set([
  'agent',
  'auto_mode_switch',
  'capabilities',
  'command',
  'commands',
  'external_tool',
  'hook',
  'human_response',
  'mcp',
  'mcp_app',
  'model',
  'pending_messages',
  'permission',
  'sampling',
  'sandbox',
  'session',
  'session_limits_exhausted',
  'skill',
  'subagent',
  'system',
  'tool_search',
  'ui',
  'workflow',
])

const SILENT: ReadonlySet<string> = new Set([
  'assistant.fusion_phase_activity',
  'assistant.fusion_phase_completed',
  'assistant.fusion_phase_failed',
  'assistant.fusion_phase_started',
  'assistant.idle',
  'assistant.intent',
  'assistant.server_tool_progress',
  'assistant.streaming_delta',
  'assistant.turn_end',
  'assistant.turn_start',
  'elicitation.completed',
  'tool.execution_partial_result',
  'tool.execution_progress',
  'tool.user_requested',
  'user_input.completed',
])

export function isSilent(type: string): boolean {
  return SILENT.has(type) || SILENT_FAMILIES.has(type.slice(0, type.indexOf('.')))
}
