import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { type ExitWords, exitFailure, wasStopped } from '../../core/exit.ts'
import { failTurn } from '../../core/failures.ts'
import { GUIDANCE, turnFailure } from './errors.ts'
import type { DialogueState } from './state.ts'

/** What the CLI says on stderr before it leaves without a result. */
const REFUSALS: readonly ExitWords[] = [
  { pattern: /no rollout found for thread id[^\n]*/i, kind: 'session_not_found' },
  { pattern: /invalid session id[^\n]*/i, kind: 'session_not_found' },
  { pattern: /Not inside a trusted directory[^\n]*/, kind: 'invalid_request' },
  { pattern: /No prompt provided via stdin[^\n]*/, kind: 'invalid_request' },
  { pattern: /Missing environment variable[^\n]*/, kind: 'auth' },
  { pattern: /Error: CODEX_HOME points to[^\n]*/, kind: 'invalid_request' },
  { pattern: /Error loading config[^\n]*/i, kind: 'invalid_request' },
]

/** Of SIGINT `codex exec` says nothing: it leaves in the middle of the turn, with 1 (0.166). A crash has words. */
function wasInterrupted({ isExec, turnOpen }: DialogueState, { exitCode, stderr }: DialogueExit): boolean {
  return isExec && turnOpen && exitCode === 1 && !/^Error|panicked at/m.test(stderr)
}

/** The verdict on a process that ended in the middle of a turn. Nothing: the engine calls it a crash. */
export function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled && !state.turnOpen) return NO_EFFECTS
  const reported = exitFailure(exit, REFUSALS, GUIDANCE)
  if (reported.length > 0) return reported
  if (wasStopped(exit)) {
    return failTurn('cancelled', { message: `codex was ended by ${exit.signal ?? `exit code ${exit.exitCode}`}` })
  }
  if (state.lastError !== undefined) return turnFailure(state.lastError)
  if (wasInterrupted(state, exit)) return failTurn('cancelled', { message: 'codex was asked to end.' })
  if (exit.exitCode !== 0) return NO_EFFECTS
  return failTurn('protocol_drift', { message: 'codex ended without telling how the turn ended' })
}
