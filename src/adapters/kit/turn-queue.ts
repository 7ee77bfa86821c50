import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'

/** The turns of a run: at most one is open, and what else was sent waits. */
export interface TurnQueue {
  turnOpen: boolean
  readonly queued: string[]
  /** Nothing more will be sent. */
  closing: boolean
}

export function isBusy({ turnOpen, queued }: TurnQueue): boolean {
  return turnOpen || queued.length > 0
}

/** A turn of its own, after the running one. */
export function queueTurn<State extends TurnQueue>(
  state: State,
  text: string,
  startNext: (state: State) => Effect[],
): Effect[] {
  state.queued.push(text)
  return state.turnOpen ? NO_EFFECTS : startNext(state)
}

/** Most agents would end in the middle of a turn, so the turns that were asked for go first. */
export function closeWhenIdle(state: TurnQueue, end: Effect = { closeStdin: true }): Effect[] {
  state.closing = true
  return isBusy(state) ? NO_EFFECTS : [end]
}
