import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { exitFailure, wasStopped } from '../../core/exit.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { asString, parseRecord, textOf } from '../../core/json.ts'
import { errorRecord, tellingLine } from '../../core/stderr.ts'
import { logReader } from './log.ts'
import { createState, type DialogueState } from './state.ts'

const GUIDANCE = 'Run `cn login`, or add a model with its key to ~/.continue/config.yaml.'

function start(state: DialogueState): Effect[] {
  const { model, forkSessionId: forkedFrom } = state.options
  state.live = true
  const effects: Effect[] = [
    // The CLI never reports the id of its session.
    { emit: { type: 'session_start', sessionId: '', resumed: false, forkedFrom } },
    { emit: { type: 'turn_start' } },
    { emit: { type: 'stream_fallback', capability: 'text', reason: 'the CLI prints its answer at the end' } },
  ]
  if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId: '', forkedFrom } })
  if (model !== undefined) effects.push({ model })
  return effects
}

/** The answer, and nothing else. With `--format json` it comes in an object that says how it went. */
function answerLine(state: DialogueState, line: string): Effect[] {
  const wrapped = state.live ? null : parseRecord(line)
  if (!state.live && wrapped === null && line.startsWith('{"response":')) return [{ unrecognized: 'text' }]
  state.hasAnswer ||= line.trim() !== ''
  if (wrapped && 'status' in wrapped && 'response' in wrapped) {
    return [{ emit: { type: 'text_delta', delta: textOf(wrapped.response) } }]
  }
  state.lineCount += 1
  const text: Effect = { emit: { type: 'text_delta', delta: state.lineCount === 1 ? line : `\n${line}` } }
  // It is printed in one piece, as the last thing before the end.
  return state.hasAnswer ? [text, { mayBeOver: true }] : [text]
}

function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  const turnEnd: Effect = { emit: { type: 'turn_end' } }
  if (exit.exitCode === 0 && state.hasAnswer) return [turnEnd]
  // Asked to stop, it exits with 0 as well.
  if (exit.exitCode === 0) return [...failTurn('unknown', { message: 'cn ended without an answer.' }), turnEnd]
  // It had hung after its answer.
  if (state.wasClosed && state.hasAnswer) return [turnEnd]
  if (wasStopped(exit)) return failTurn('cancelled', { message: 'Continue was asked to end.' })
  const reported = exitFailure(exit, [])
  if (reported.length > 0) return [...reported, turnEnd]
  const message = asString(errorRecord(exit.stderr)?.message) ?? tellingLine(exit.stderr)
  if (message === '' || exit.signal !== null) return NO_EFFECTS
  // What its HTTP client says when there is neither a login nor a network.
  const kind = message.includes('interceptors did not return') ? 'auth' : decideFailure({ words: message })
  return [...failTurn(kind, { message, guidance: GUIDANCE }), turnEnd]
}

/** Reads `cn -p`: one answer, then the end. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  const readLog = logReader(options.cwd ?? process.cwd())
  return {
    start: () => start(state),
    onLine: (line, source) => (source === 'stderr' ? readLog(line) : answerLine(state, line)),
    onCommand(command: DialogueCommand): null {
      state.wasClosed ||= command.type === 'close'
      return null
    },
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
  }
}
