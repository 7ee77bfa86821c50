import type { Fact, Sign } from '../../contract/activity.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { decideFailure, saysSpent } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'

/** The newest turn of a launch. While it is under way it has no outcome. */
export interface Turn {
  startedAt: number
  endedAt: number | null
  outcome: Outcome | null
  /** Its end was handed over to be notified. */
  isNotified: boolean
  /** In a terminal: a hook has reported the prompt. Otherwise it may only look like a turn. */
  isPrompted?: true
  /** In a terminal: what says that the turn did not complete, by the most trusted source that does. */
  endedBy?: Fact
}

/** The end of a turn that is still to be notified. */
export interface TurnEnd {
  outcome: Outcome
  endedAt: number
  /** What the agent had said by then. */
  summary: string | null
}

export const COMPLETED: Outcome = { kind: 'completed' }

export function beginTurn(startedAt: number): Turn {
  return { startedAt, endedAt: null, outcome: null, isNotified: false }
}

export function endTurn(turn: Turn | null, endedAt: number, outcome: Outcome): Turn {
  return { startedAt: turn?.startedAt ?? endedAt, endedAt, outcome, isNotified: false }
}

/** How a turn ended by what its hooks, its transcript or its screen say. */
export function outcomeOfSign({ ended, detail }: Pick<Sign, 'ended' | 'detail'>): Outcome {
  if (ended === 'interrupted') return { kind: 'cancelled', evidence: detail ?? 'interrupted' }
  if (ended !== 'failed') return COMPLETED
  const message = detail ?? 'its turn failed'
  const decided = decideFailure({ words: message })
  // Claude calls a spent plan a rate limit, too.
  const kind = decided === 'rate_limit' && saysSpent(message) ? 'quota' : decided
  for (const effect of failTurn(kind, { message })) if ('fail' in effect) return effect.fail.outcome
  return { kind: 'failed', code: 'MODEL_ERROR', evidence: message }
}
