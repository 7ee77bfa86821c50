import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { asArray, asRecord, asString } from '../../core/json.ts'
import { isMissingSession, sessionFailure, turnFailure } from './errors.ts'
import { request, takeSent } from './rpc.ts'
import { openSession } from './session.ts'
import type { DialogueState, RequestId } from './state.ts'
import { mustNarrow, openThread } from './thread-plan.ts'
import { endTurn, startNext, steerTooLate } from './turns.ts'

export function resultAnswer(state: DialogueState, id: RequestId, result: unknown): Effect[] {
  const record = asRecord(result) ?? {}
  const kind = takeSent(state, id)?.kind
  if (kind === 'initialize') {
    const { method, params } = openThread(state.options)
    return [{ write: '{"method":"initialized"}' }, request(state, { kind: 'thread' }, method, params)]
  }
  // A recording is read without what was asked: an answer with a thread in it opens the session there too.
  if (kind !== 'thread' && (state.live || record.thread === undefined)) return NO_EFFECTS
  const effects = [...openSession(state, asRecord(record.thread) ?? {}, asString(record.model))]
  for (const path of asArray(record.instructionSources)) {
    if (typeof path === 'string') effects.push({ emit: { type: 'agentdoc_read', path } })
  }
  state.serviceTier = asString(record.serviceTier)
  state.narrow = mustNarrow(state.options, record.sandbox)
  if (state.narrow) effects.push(warning('The last turn of this session ran without a sandbox; this run is read-only.'))
  return state.live ? [...effects, ...startNext(state)] : effects
}

export function errorAnswer(state: DialogueState, id: RequestId, error: unknown): Effect[] {
  const message = asString(asRecord(error)?.message) ?? 'The request failed.'
  const sent = takeSent(state, id)
  if (!state.live) return isMissingSession(message) ? endSession(state, message) : NO_EFFECTS
  switch (sent?.kind) {
    case 'initialize':
    case 'thread':
      return [...endSession(state, message), { closeStdin: true }]
    case 'turn':
      return endTurn(state, turnFailure(message), false)
    case 'steer':
      return steerTooLate(state, sent.text)
    default:
      return [warning(message)]
  }
}

function endSession(state: DialogueState, message: string): Effect[] {
  state.settled = true
  state.queued.length = 0
  return sessionFailure(message)
}
