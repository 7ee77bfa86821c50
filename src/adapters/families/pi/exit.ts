import type { DialogueExit, Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { exitFailure, wasStopped } from '../../../core/exit.ts'
import { failTurn } from '../../../core/failures.ts'
import type { DialogueState } from './state.ts'
import { verdict } from './turns.ts'

/** The verdict on a process that ended in the middle of a turn. Nothing: the engine calls it a crash. */
export function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  const { dialect, turnOpen, begun, settled } = state
  if (settled && !turnOpen) return NO_EFFECTS
  // The one-shot form leaves with 0 after a failed reply, too.
  const known = begun ? verdict(state) : NO_EFFECTS
  if (known.length > 0) return [...known, { emit: { type: 'turn_end' } }]
  const reported = exitFailure(exit, dialect.exitWords, dialect.guidance)
  if (reported.length > 0) return reported
  if (wasStopped(exit)) return failTurn('cancelled', { message: `${dialect.displayName} was asked to end.` })
  if (exit.exitCode !== 0) return NO_EFFECTS
  if (!begun) return failTurn('invalid_request', { message: `${dialect.displayName} ended without a turn: no prompt?` })
  if (state.retrying || state.loopOpen || state.calls.size > 0) {
    return failTurn('protocol_drift', { message: `${dialect.displayName} ended in the middle of a turn.` })
  }
  return [{ emit: { type: 'turn_end' } }]
}
