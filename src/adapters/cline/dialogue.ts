import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects } from '../../core/effects.ts'
import { exitFailure } from '../../core/exit.ts'
import { asString } from '../../core/json.ts'
import { errorRecord } from '../../core/stderr.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { endWithoutResult } from '../kit/one-way.ts'
import { createState, type DialogueState } from './state.ts'
import { failure, GUIDANCE, streamRecord, turnStart } from './stream.ts'

/** Without a result: the cause is the last record of stderr, or its words. */
function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled) return NO_EFFECTS
  const message = asString(errorRecord(exit.stderr)?.message)
  const refused = exitFailure(message === undefined ? exit : { ...exit, stderr: message }, [])
  if (refused.length > 0) return refused
  const isNotified = message !== undefined || state.lastError.error !== undefined
  if (isNotified && exit.signal === null && exit.exitCode !== 0) return failure(state, undefined, message ?? '')
  return endWithoutResult({ displayName: 'Cline' }, exit)
}

/** The CLI never reports the id of its session. */
function start(state: DialogueState): Effect[] {
  return [{ emit: { type: 'session_start', sessionId: '', resumed: false } }, ...turnStart(state)]
}

function streamDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine: (line, source) =>
      source === 'stderr' ? NO_EFFECTS : recordEffects(line, (record) => streamRecord(state, record)),
    onCommand: () => null,
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
  }
}

/** Reads `cline --json`: one turn, nothing to answer. Its ACP takes only accounts of Cline, so recordings hold it alone. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue('cline', { args: ['--acp'], guidance: GUIDANCE })(options)
  return eitherWire({ usesAcp: false, acp, stream: streamDialogue(options) })
}
