import type { Dialogue, DialogueCommand, DialogueExit, Effect, HttpResponse } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { wasStopped } from '../../core/exit.ts'
import { failTurn } from '../../core/failures.ts'
import { parseRecord } from '../../core/json.ts'
import { type CommandHandlers, handleCommand } from '../kit/commands.ts'
import { joinPrompt } from '../kit/prompt.ts'
import { isBusy } from '../kit/turn-queue.ts'
import { serverEvent } from './events.ts'
import { answer } from './requests.ts'
import { serverAnswer, serverLine } from './server.ts'
import { createState, type DialogueState } from './state.ts'
import { close, interrupt, steer, userTurn } from './turns.ts'

/** The server says where it listens; its health, the stream of events, the session and the first turn follow. */
function start(state: DialogueState): Effect[] {
  state.live = true
  state.queued.push(joinPrompt(state.options.prompt))
  return NO_EFFECTS
}

/** The output of the server, or an event of its stream where a recording has those. */
function line(state: DialogueState, text: string): Effect[] {
  const record = parseRecord(text)
  return record ? serverEvent(state, record) : serverLine(state, text)
}

function setModel(state: DialogueState, model: string): Effect[] {
  state.model = model
  return NO_EFFECTS
}

const COMMANDS: CommandHandlers<DialogueState> = { userTurn, steer, interrupt, answer, setModel, close }

/** The verdict on a server that ended in the middle of a turn. Nothing: the engine calls it a crash. */
function exitEffects(state: DialogueState, exit: DialogueExit): Effect[] {
  if (state.settled && !state.turnOpen) return NO_EFFECTS
  const refusal = /^.*Configuration is invalid.*$/m.exec(exit.stderr)?.[0]
  if (refusal !== undefined) return failTurn('invalid_request', { message: refusal })
  if (wasStopped(exit)) return failTurn('cancelled', { message: 'The server was asked to end.' })
  return exit.exitCode === 0
    ? failTurn('protocol_drift', { message: 'The server ended without a word about the turn.' })
    : NO_EFFECTS
}

/** Speaks with `opencode serve` over HTTP. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine: (text: string, source: StreamSource) => (source === 'stderr' ? NO_EFFECTS : line(state, text)),
    onHttp: (requestId: string, response: HttpResponse) =>
      'sse' in response ? line(state, response.sse) : serverAnswer(state, requestId, response),
    onCommand: (command: DialogueCommand) => handleCommand(COMMANDS, state, command),
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
    busy: () => isBusy(state),
  }
}
