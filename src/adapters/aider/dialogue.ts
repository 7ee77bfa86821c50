import type { Dialogue, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { decideFailure } from '../../core/failure-codes.ts'
import { failTurn } from '../../core/failures.ts'
import { endWithoutResult, oneWayStart } from '../kit/one-way.ts'
import { sessionIdOf } from './session.ts'
import { createState, type DialogueState } from './state.ts'
import { FAILED, readLine } from './stream.ts'
import { commandEnd } from './tools.ts'

const AGENT = {
  displayName: 'Aider',
  guidance: 'Set the key of the provider, such as ANTHROPIC_API_KEY, and name a model.',
}
const NO_MODEL = /No LLM model was specified|Unable to proceed without an? \w+ API key|API key .*not found/
const TURN_END: Effect = { emit: { type: 'turn_end' } }

function start(state: DialogueState): Effect[] {
  const { sessionId, noSession } = state.options
  const session = { sessionId: noSession ? '' : sessionIdOf(state.options), resumed: sessionId !== undefined }
  return [{ emit: { type: 'session_start', ...session } }, ...oneWayStart(state.options)]
}

/** It exits with 0 whatever came of the request: what it has printed since the last answer says more. */
function endEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  const failed = state.lines.slice(state.lines.findIndex((line) => FAILED.test(line)))
  const message = failed.filter((line) => line.trim() !== '').join(' ')
  if (state.tokenLimit) return [...failTurn('context', { message: 'The model has hit a token limit.' }), TURN_END]
  if (state.lines.some((line) => FAILED.test(line))) return [...failure(message), TURN_END]
  const noModel = state.hasBegun ? undefined : state.lines.find((line) => NO_MODEL.test(line))
  if (noModel !== undefined) return failTurn('auth', { message: noModel, guidance: AGENT.guidance })
  if (exit.exitCode !== 0) return endWithoutResult(AGENT, exit)
  if (state.hasAnswer) return [TURN_END]
  const [reason = 'Aider ended without an answer.'] = state.lines.filter((line) => line.trim() !== '')
  return [...failTurn('unknown', { message: reason }), TURN_END]
}

function failure(message: string): Effect[] {
  const kind = decideFailure({ words: message })
  return failTurn(kind, { message, guidance: kind === 'auth' ? AGENT.guidance : undefined })
}

/** Reads the text of Aider: one message, then the end. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine: (line, source) => (source === 'stderr' ? NO_EFFECTS : readLine(state, line)),
    onCommand: () => null,
    onExit: (exit: DialogueExit) => [...commandEnd(state), ...endEffects(state, exit)],
  }
}
