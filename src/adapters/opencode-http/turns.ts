import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { failTurn } from '../../core/failures.ts'
import { errorFailure, reasonFailure } from '../families/opencode/errors.ts'
import { closeWhenIdle, isBusy, queueTurn } from '../kit/turn-queue.ts'
import { dialect } from './dialect.ts'
import { request } from './http.ts'
import { promptBody } from './prompt.ts'
import { type DialogueState, forgetTurn } from './state.ts'

/** A turn of its own, after the running one. */
export function userTurn(state: DialogueState, text: string): Effect[] {
  return queueTurn(state, text, startNext)
}

/** The server takes a message into the running turn, before it asks the model again. */
export function steer(state: DialogueState, text: string): Effect[] {
  if (!state.turnOpen || !state.isBusy) return userTurn(state, text)
  return [request(state, 'reply', 'POST', `/session/${state.sessionId}/prompt_async`, promptBody(state, text))]
}

export function interrupt(state: DialogueState): Effect[] {
  if (!isBusy(state) || state.interrupted) return NO_EFFECTS
  state.interrupted = true
  return state.turnOpen ? [request(state, 'abort', 'POST', `/session/${state.sessionId}/abort`)] : NO_EFFECTS
}

/** The server would stay forever. The turns that were asked for go first. */
export function close(state: DialogueState): Effect[] {
  return closeWhenIdle(state, { endProcess: true })
}

/** What was sent and has not run yet, else the end if nothing more can come. */
export function startNext(state: DialogueState): Effect[] {
  if (!state.live || !state.sessionOpen) return NO_EFFECTS
  const text = state.queued.shift()
  if (text === undefined) return state.closing ? [{ endProcess: true }] : NO_EFFECTS
  if (state.interrupted) return endTurn(state, failTurn('cancelled', { message: 'The turn was interrupted.' }))
  const prompt = request(state, 'prompt', 'POST', `/session/${state.sessionId}/prompt_async`, promptBody(state, text))
  state.isFirstTurn = false
  state.turnOpen = true
  state.settled = false
  return [{ emit: { type: 'turn_start' } }, prompt]
}

/** The session is idle again. */
export function turnOver(state: DialogueState): Effect[] {
  const { error, structured, options } = state
  if (error) return endTurn(state, errorFailure(dialect, error))
  const cutShort = reasonFailure(state.lastReason)
  if (cutShort.length > 0) return endTurn(state, cutShort)
  return endTurn(state, options.outputSchema && structured !== undefined ? [{ structuredOutput: structured }] : [])
}

/** What comes of a turn, its end, and then the next one, or the end of the run where nothing more can come. */
export function endTurn(state: DialogueState, effects: Effect[]): Effect[] {
  forgetTurn(state)
  return [...effects, { emit: { type: 'turn_end' } }, ...startNext(state)]
}
