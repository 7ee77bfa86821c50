import type { Fact, Sign } from '../contract/activity.ts'
import type { AgentEvent, AgentEventType, ApprovalRequestEvent } from '../contract/events.ts'

const PROGRESS: ReadonlySet<AgentEventType> = new Set<AgentEventType>([
  ...(['turn_start', 'step_start', 'message_start', 'text_delta', 'thinking_start', 'thinking_delta'] as const),
  ...(['tool_call_start', 'tool_input_delta', 'tool_call_ready', 'tool_result', 'tool_error'] as const),
  ...(['shell_start', 'shell_stdout_delta', 'shell_stderr_delta', 'shell_exit'] as const),
  ...(['mcp_tool_call_start', 'mcp_tool_result', 'mcp_tool_error'] as const),
  ...(['subagent_spawn', 'subagent_result', 'subagent_error', 'context_compacted'] as const),
])

/** What an event of the stream proves about the agent's activity; null: nothing. */
export function factOf(event: AgentEvent, launch: number): Fact | null {
  const sign = signOf(event)
  return sign && { ...sign, source: 'protocol', at: event.timestamp, launch }
}

function signOf(event: AgentEvent): Sign | null {
  switch (event.type) {
    case 'turn_start':
      return { state: 'active', closes: true }
    case 'turn_end':
    case 'interrupted':
      return { state: 'idle', closes: true }
    case 'approval_request':
      return { state: 'blocked', dialog: event.interactionId, detail: `asks for a permission: ${wanted(event)}` }
    case 'approval_granted':
    case 'approval_denied':
      return { state: 'active', closes: event.interactionId }
    case 'input_required':
      return { state: 'waiting_input', detail: event.question }
    case 'attempt_withdrawn':
      return event.scope === 'run' ? { state: 'active', closes: true } : { state: 'active' }
    case 'retry':
      return { state: 'active', detail: `tries again: ${event.reason}` }
    case 'rate_limited':
      return { state: 'active', detail: 'waits for a rate limit' }
    case 'session_end':
      return { state: 'exited', detail: 'its run has ended' }
    case 'crash':
      return { state: 'exited', detail: `it crashed with exit code ${event.exitCode}` }
    default:
      return PROGRESS.has(event.type) ? { state: 'active' } : null
  }
}

const MOST_CHARACTERS = 300

/** The tool, and what it is to do. */
function wanted({ action, detail }: ApprovalRequestEvent): string {
  const text = detail === '' || detail.includes(action) ? detail || action : `${action}: ${detail}`
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
