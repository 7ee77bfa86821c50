import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { failTurn } from '../../../core/failures.ts'
import type { JsonRecord } from '../../../core/json.ts'
import { closeWhenIdle, queueTurn } from '../../kit/turn-queue.ts'
import { send, sendPrompt } from './rpc.ts'
import { type DialogueState, forgetTurn } from './state.ts'

/** A turn of its own, after the running one. */
export function userTurn(state: DialogueState, text: string): Effect[] {
  return queueTurn(state, text, startNext)
}

/** A message into the running turn: the agent takes it up after the calls that it is making. */
export function steer(state: DialogueState, text: string): Effect[] {
  if (!state.turnOpen) return userTurn(state, text)
  state.steered = true
  return [send(state, 'steer', { message: text })]
}

/** What was steered and not taken up yet would be run after the abort; only 1.0 and later can take it back. */
export function interrupt(state: DialogueState): Effect[] {
  if (!state.turnOpen) return NO_EFFECTS
  state.interrupting = true
  return [...(state.steered ? [send(state, 'clear_queue')] : []), send(state, 'abort')]
}

/** A closed stdin ends the CLI in the middle of a turn, so the turns that were asked for go first. */
export function close(state: DialogueState): Effect[] {
  return closeWhenIdle(state)
}

/** What was sent and has not run yet, else the end if that was asked for. */
function startNext(state: DialogueState): Effect[] {
  if (!state.live) return NO_EFFECTS
  const text = state.queued.shift()
  if (text === undefined) return state.closing ? [{ closeStdin: true }] : NO_EFFECTS
  state.turnOpen = true
  return [sendPrompt(state, text)]
}

/** The loop has begun: the first time in a turn, again after a retry, or by itself when a command in the background ends. */
export function loopStarted(state: DialogueState): Effect[] {
  const effects = state.unsettled ? settle(state) : []
  if (!state.begun) effects.push({ emit: { type: 'turn_start' } })
  state.turnOpen = true
  state.begun = true
  state.loopOpen = true
  return effects
}

/**
 * The loop has ended. Since 1.0 `agent_settled` reports when nothing follows; `isTerminal` is omp's word for the same.
 * Before 1.0 there is neither: then a failure waits for the next record, and we ask for one.
 */
export function loopEnded(state: DialogueState, record: JsonRecord): Effect[] {
  state.loopOpen = false
  if (typeof record.willRetry === 'boolean' || record.isTerminal === false) return NO_EFFECTS
  if (record.isTerminal === true || state.failure === null) return settle(state)
  state.unsettled = true
  return state.live ? [send(state, 'get_state')] : NO_EFFECTS
}

/** The last word since 1.0. A turn that was stopped may call that a failure in its last reply. */
export function loopSettled(state: DialogueState, record: JsonRecord): Effect[] {
  if (record.aborted === true) {
    state.aborted = true
    state.failure = null
  }
  return settle(state)
}

/** A record has come that is not about trying again. */
export function nothingFollows(state: DialogueState): Effect[] {
  return state.unsettled && !state.compacting ? settle(state) : NO_EFFECTS
}

/** What the end of the turn means. */
export function verdict({ dialect, interrupting, aborted, failure, retrying }: DialogueState): Effect[] {
  if (interrupting) return failTurn('cancelled', { message: 'The turn was interrupted.' })
  // Somebody lost patience with the retries: what they were for is the cause.
  const cause = failure ?? (aborted ? retrying : null)
  if (cause) return failTurn(cause.kind, { message: cause.message, guidance: dialect.guidance })
  return aborted ? failTurn('cancelled', { message: 'The turn was stopped.' }) : NO_EFFECTS
}

/** What comes of a turn, its end, and then the next one. After a failure nothing that waited is sent. */
export function settle(state: DialogueState): Effect[] {
  const effects = verdict(state)
  if (effects.length > 0 && !state.interrupting) state.queued.length = 0
  forgetTurn(state)
  return [...effects, { emit: { type: 'turn_end' } }, ...startNext(state)]
}
