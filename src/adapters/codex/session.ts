import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asString, type JsonRecord } from '../../core/json.ts'
import type { DialogueState } from './state.ts'

/** The notice is about the thread of this run, not about one of its sub-agents'. */
export function isMain(state: DialogueState, params: JsonRecord): boolean {
  return params.threadId === undefined || params.threadId === state.threadId
}

export function openSession(state: DialogueState, thread: JsonRecord, model: string | undefined): Effect[] {
  const sessionId = asString(thread.id)
  if (sessionId === undefined || state.sessionOpen || (state.threadId ?? sessionId) !== sessionId) return NO_EFFECTS
  state.threadId = sessionId
  state.sessionOpen = true
  const forkedFrom = asString(thread.forkedFromId)
  const resumed = state.options.sessionId !== undefined
  const effects: Effect[] = [{ emit: { type: 'session_start', sessionId, resumed, forkedFrom } }]
  if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId, forkedFrom } })
  effects.push(...useModel(state, model ?? asString(thread.model)))
  return effects
}

export function useModel(state: DialogueState, model: string | undefined): Effect[] {
  if (model === undefined || model === state.model) return NO_EFFECTS
  state.model = model
  return [{ model }]
}

export function useSettings(state: DialogueState, settings: JsonRecord): Effect[] {
  state.serviceTier = asString(settings.serviceTier)
  return useModel(state, asString(settings.model))
}
