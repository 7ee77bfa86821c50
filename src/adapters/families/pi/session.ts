import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import { sessionIdOf } from './session-tree.ts'
import type { DialogueState } from './state.ts'

/** The first record of the one-shot form. */
export function sessionHeader(state: DialogueState, record: JsonRecord): Effect[] {
  state.cwd = asString(record.cwd) ?? state.cwd
  const parent = asString(record.parentSession)
  return openSession(state, asString(record.id), parent === undefined ? undefined : sessionIdOf(parent))
}

/** The answer to `get_state`, which is the only place where the two-way form reports its session. */
export function sessionState(state: DialogueState, data: JsonRecord): Effect[] {
  const model = asRecord(data.model)
  state.provider = asString(model?.provider) ?? state.provider
  const effects = openSession(state, asString(data.sessionId), undefined)
  const modelId = asString(model?.id)
  if (modelId !== undefined && modelId !== state.model) {
    state.model = modelId
    effects.push({ model: modelId })
  }
  return effects
}

/** A session that is resumed keeps its header, so its parent is reported as a fork only when it is new. */
function openSession(state: DialogueState, sessionId: string | undefined, parent: string | undefined): Effect[] {
  if (sessionId === undefined || state.sessionOpen) return []
  state.sessionOpen = true
  const { sessionId: resumedId, forkSessionId } = state.options
  const forkedFrom = resumedId === undefined ? (forkSessionId ?? parent) : undefined
  const effects: Effect[] = [
    { emit: { type: 'session_start', sessionId, resumed: resumedId !== undefined, forkedFrom } },
  ]
  if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId, forkedFrom } })
  return effects
}

/** `set_model` was answered. */
export function modelChanged(state: DialogueState, data: JsonRecord): Effect[] {
  state.provider = asString(data.provider) ?? state.provider
  const modelId = asString(data.id)
  if (modelId === undefined || modelId === state.model) return NO_EFFECTS
  state.model = modelId
  return [{ model: modelId }]
}
