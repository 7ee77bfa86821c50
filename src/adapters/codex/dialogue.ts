import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, warning } from '../../core/effects.ts'
import type { JsonRecord } from '../../core/json.ts'
import { type CommandHandlers, handleCommand } from '../kit/commands.ts'
import { SYSTEM_BLOCK_WARNING } from '../kit/prompt.ts'
import { isBusy } from '../kit/turn-queue.ts'
import { serverRecord, startServer, textRecord } from './app-server.ts'
import { execRecord } from './exec.ts'
import { exitEffects } from './exit.ts'
import { systemPromptPlace } from './prompt.ts'
import { answer } from './requests.ts'
import { createState, type DialogueState } from './state.ts'
import { stderrLine } from './stderr.ts'
import { close, interrupt, steer, userTurn } from './turns.ts'

function start(state: DialogueState): Effect[] {
  const { options } = state
  const effects: Effect[] = []
  if (systemPromptPlace(options) === 'prompt') effects.push(warning(SYSTEM_BLOCK_WARNING))
  if (!state.isExec) effects.push(...startServer(state))
  return effects
}

const EXEC_TYPE = /^(?:thread|turn|item)\./

/** Which of the two wires a record belongs to shows in the record, so recordings need no hint. */
function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const { method, id, type } = record
  if (method !== undefined || id !== undefined) state.isExec = false
  else if (typeof type === 'string' && EXEC_TYPE.test(type)) state.isExec = true
  return method === undefined && typeof type === 'string' ? execRecord(state, record) : serverRecord(state, record)
}

/** Sent to the server with the next turn. */
function setModel(state: DialogueState, model: string): Effect[] {
  state.chosenModel = model
  return NO_EFFECTS
}

const COMMANDS: CommandHandlers<DialogueState> = { userTurn, steer, interrupt, answer, setModel, close }

/** Speaks both wires of Codex: the app server's, and the one-way records of `codex exec --json`. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stderr') return stderrLine(state, line)
      const text = textRecord(line)
      return text ? nativeRecord(state, text) : recordEffects(line, (record) => nativeRecord(state, record))
    },
    onCommand: (command: DialogueCommand) => (state.isExec ? null : handleCommand(COMMANDS, state, command)),
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
    busy: () => isBusy(state),
  }
}
