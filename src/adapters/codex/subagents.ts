import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { createItems, type DialogueState, type ThreadItems } from './state.ts'

/**
 * The items of the thread that a notice is about; none for a thread that nobody reported. Nor for a sub-agent that
 * goes on after the turn: what it does then belongs to no turn of the user's, and its open calls have ended with the
 * turn.
 */
export function itemsOf(state: DialogueState, params: JsonRecord): ThreadItems | undefined {
  const threadId = asString(params.threadId)
  if (threadId === undefined || threadId === state.threadId) return state.items
  return state.settled ? undefined : state.subagents.get(threadId)?.items
}

/** Each step of a sub-agent's life is reported with the id of its thread; the first one is its birth. */
export function subagentActivity(state: DialogueState, item: JsonRecord): Effect[] {
  const subagentId = asString(item.agentThreadId)
  if (subagentId === undefined || state.subagents.has(subagentId)) return NO_EFFECTS
  const agentName = asString(item.agentPath)?.split('/').at(-1) ?? 'subagent'
  state.subagents.set(subagentId, { name: agentName, items: createItems(asString(item.id) ?? subagentId) })
  return [{ emit: { type: 'subagent_spawn', subagentId, agentName, prompt: '' } }]
}

export function subagentDone(state: DialogueState, subagentId: string, turn: JsonRecord): Effect[] {
  const subagent = state.subagents.get(subagentId)
  if (!subagent) return NO_EFFECTS
  const agentName = subagent.name
  if (turn.status === 'completed') {
    return [{ emit: { type: 'subagent_result', subagentId, agentName, summary: subagent.items.lastMessage } }]
  }
  const error = asString(asRecord(turn.error)?.message) ?? asString(turn.status) ?? 'failed'
  return [{ emit: { type: 'subagent_error', subagentId, agentName, error } }]
}
