import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { failTurn } from '../../core/failures.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { structuredOutput } from '../kit/structured-output.ts'
import { closeWhenIdle, queueTurn } from '../kit/turn-queue.ts'
import { turnFailure } from './errors.ts'
import { textInput } from './prompt.ts'
import { request } from './rpc.ts'
import { type DialogueState, forgetTurn } from './state.ts'
import { turnParams } from './thread-plan.ts'

/** A turn of its own, after the running one. */
export function userTurn(state: DialogueState, text: string): Effect[] {
  return queueTurn(state, text, startNext)
}

/** A message into the running turn; before that really runs, a turn of its own. */
export function steer(state: DialogueState, text: string): Effect[] {
  const { threadId, turnId } = state
  if (!state.turnOpen || threadId === undefined || turnId === undefined) return userTurn(state, text)
  const params = { threadId, expectedTurnId: turnId, input: [textInput(text)] }
  return [request(state, { kind: 'steer', text }, 'turn/steer', params)]
}

/** The turn ended meanwhile: what was said begins the next one. */
export function steerTooLate(state: DialogueState, text: string): Effect[] {
  state.queued.unshift(text)
  return state.turnOpen ? NO_EFFECTS : startNext(state)
}

/** Sent only while a turn runs: the server never answers an interrupt of nothing. */
export function interrupt(state: DialogueState): Effect[] {
  const { threadId, turnId } = state
  if (!state.turnOpen) return NO_EFFECTS
  state.interruptWanted = turnId === undefined
  if (state.interruptWanted) return NO_EFFECTS
  return [request(state, { kind: 'interrupt' }, 'turn/interrupt', { threadId, turnId })]
}

/** A closed stdin ends the server in the middle of a turn, so the turns that were asked for go first. */
export function close(state: DialogueState): Effect[] {
  return closeWhenIdle(state)
}

/** What was sent and has not run yet, else the end if nothing more can come. */
export function startNext(state: DialogueState): Effect[] {
  const { threadId, options } = state
  if (threadId === undefined || !state.live) return NO_EFFECTS
  const text = state.queued.shift()
  if (text === undefined) return state.closing || options.nonInteractive ? [{ closeStdin: true }] : NO_EFFECTS
  const params = turnParams(state, threadId, text)
  state.isFirstTurn = false
  state.turnOpen = true
  state.turnId = undefined
  return [request(state, { kind: 'turn' }, 'turn/start', params)]
}

export function turnStarted(state: DialogueState, turn: JsonRecord): Effect[] {
  state.turnOpen = true
  state.settled = false
  state.turnId = asString(turn.id) ?? state.turnId
  const effects: Effect[] = [{ emit: { type: 'turn_start' } }]
  if (state.interruptWanted) effects.push(...interrupt(state))
  return effects
}

export function turnCompleted(state: DialogueState, turn: JsonRecord): Effect[] {
  if (!state.turnOpen) return NO_EFFECTS
  switch (turn.status) {
    case 'completed':
      return endTurn(state, structuredOutput(state.options, state.items.lastMessage), true)
    case 'interrupted':
      return endTurn(state, failTurn('cancelled', { message: 'The turn was interrupted.' }), true)
    default: {
      const error = asRecord(turn.error) ?? {}
      const message = asString(error.message) ?? 'The turn failed.'
      const { used, max } = state.contextTokens
      const detail = { usedTokens: used, maxTokens: max, resetAt: state.limitResetAt }
      return endTurn(state, turnFailure(message, error.codexErrorInfo, detail), false)
    }
  }
}

/** What comes of a turn, its end, and then the next one, or the end of the run where nothing more can come. */
export function endTurn(state: DialogueState, effects: Effect[], goOn: boolean): Effect[] {
  forgetTurn(state)
  if (!goOn) state.queued.length = 0
  return [...effects, { emit: { type: 'turn_end' } }, ...startNext(state)]
}
