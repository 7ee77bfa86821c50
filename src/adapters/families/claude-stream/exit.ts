import type { DialogueExit, Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { exitFailure, wasStopped } from '../../../core/exit.ts'
import { failTurn } from '../../../core/failures.ts'
import { tellingLine } from '../../../core/stderr.ts'
import { unreportedUsage } from './reply-usage.ts'
import type { DialogueState } from './state.ts'

/** What a process that ended in the middle of a turn has used, and the verdict on it. */
export function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (!state.busy) return NO_EFFECTS
  return [...unreportedUsage(state), ...(state.ended ? NO_EFFECTS : verdict(state, exit))]
}

/** Nothing: the engine calls it a crash. */
function verdict(state: DialogueState, exit: DialogueExit): Effect[] {
  const { exitCode, stderr } = exit
  const { displayName, notInstalled, exitCodes, exitWords, guidance } = state.dialect
  if (wasStopped(exit)) return failTurn('cancelled', { message: `${displayName} was asked to end.` })
  const stub = notInstalled?.pattern.exec(stderr)
  if (stub) return notInstalledFailure(`${stub[0]} ${notInstalled?.hint}`)
  if (exitCode === 0 && exit.signal === null) {
    return failTurn('protocol_drift', { message: `${displayName} ended without a result for the turn.` })
  }
  const kind = exitCodes.get(exitCode ?? -1)
  if (kind) return failTurn(kind, { message: tellingLine(stderr), maxTurns: state.options.maxTurns })
  // Once a session has begun, words on stderr are not the reason of an exit.
  return exitFailure(exit, exitCode === 1 && state.sessionId === '' ? exitWords : [], guidance)
}

function notInstalledFailure(message: string): Effect[] {
  const code = 'AGENT_NOT_INSTALLED'
  const outcome = { kind: 'failed', code, evidence: message } as const
  return [{ fail: { event: { type: 'error', code, message, recoverable: false }, outcome } }]
}
