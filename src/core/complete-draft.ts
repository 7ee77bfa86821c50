import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'

export interface EventStamp {
  runId: string
  agent: AgentName
  timestamp: number
}

/**
 * A copy that may be changed and completed. What streams are made of gets the shape of its event at once: adding the
 * stamp field by field costs more than parsing the line.
 */
export function ownDraft(draft: AgentEventDraft, stamp: EventStamp): AgentEventDraft {
  if (draft.raw !== undefined || draft.origin !== undefined) return { ...draft }
  const { runId, agent, timestamp } = stamp
  switch (draft.type) {
    case 'message_start':
      return { type: draft.type, runId, agent, timestamp }
    case 'message_stop':
      return { type: draft.type, runId, agent, timestamp, text: draft.text }
    case 'thinking_stop':
      return { type: draft.type, runId, agent, timestamp, thinking: draft.thinking }
    default:
      return { ...draft }
  }
}

/**
 * Turns a draft into an event in place: stamps it and gives every computed field that the normaliser has not set a
 * neutral value. In place: who owns the draft has made it, or has made a copy.
 */
export function completeDraft(draft: AgentEventDraft, stamp: EventStamp): asserts draft is AgentEvent {
  draft.runId = stamp.runId
  draft.agent = stamp.agent
  draft.timestamp = stamp.timestamp
  switch (draft.type) {
    case 'text_delta':
    case 'thinking_delta':
      draft.accumulated ??= draft.delta
      break
    case 'tool_call_start':
      draft.inputAccumulated ??= ''
      break
    case 'tool_input_delta':
      draft.inputAccumulated ??= draft.delta
      break
    case 'turn_start':
    case 'turn_end':
      draft.turnIndex ??= 0
      break
    case 'step_start':
    case 'step_end':
      draft.turnIndex ??= 0
      draft.stepIndex ??= 0
      break
    case 'tool_result':
    case 'shell_exit':
      draft.durationMs ??= 0
      break
    case 'session_end':
      draft.turnCount ??= 0
  }
}
