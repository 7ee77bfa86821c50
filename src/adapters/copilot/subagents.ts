import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asString, type JsonRecord } from '../../core/json.ts'
import type { DialogueState } from './state.ts'

/** A sub-agent that works for a call. Each of its records bears its id. */
export interface Subagent {
  toolCallId: string
  agentName: string
  /** It goes on after the call that started it: the call's own result is not the sub-agent's. */
  inBackground: boolean
  lastMessage: string
}

export function subagentStarted(state: DialogueState, data: JsonRecord, agentId: string | undefined): Effect[] {
  if (agentId === undefined) return NO_EFFECTS
  const toolCallId = asString(data.toolCallId) ?? ''
  const inBackground = data.executionMode === 'background'
  const agentName = asString(data.agentName) ?? ''
  state.subagents.set(agentId, { toolCallId, agentName, inBackground, lastMessage: '' })
  const call = state.calls.get(toolCallId)
  if (call) call.inBackground = inBackground
  return NO_EFFECTS
}

/** What a sub-agent says stays out of the answer, but the last of it is its result. */
export function subagentMessage(state: DialogueState, data: JsonRecord, agentId: string | undefined): Effect[] {
  const subagent = state.subagents.get(agentId ?? '')
  if (subagent) subagent.lastMessage = asString(data.content) || subagent.lastMessage
  return NO_EFFECTS
}

/** The end of one in the background. That of another is the result of its call. */
export function subagentEnded(state: DialogueState, data: JsonRecord, agentId: string | undefined): Effect[] {
  const subagent = state.subagents.get(agentId ?? '')
  if (!subagent?.inBackground) return NO_EFFECTS
  const { toolCallId: subagentId, agentName, lastMessage: summary } = subagent
  const error = data.cancelled === true ? 'The sub-agent was cancelled.' : asString(data.error)
  return error === undefined
    ? [{ emit: { type: 'subagent_result', subagentId, agentName, summary } }]
    : [{ emit: { type: 'subagent_error', subagentId, agentName, error } }]
}

/** The call that a record of a sub-agent belongs to. */
export function parentOf(state: DialogueState, data: JsonRecord, agentId: string | undefined): string | undefined {
  return state.subagents.get(agentId ?? '')?.toolCallId ?? asString(data.parentToolCallId)
}
