import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { ignoredOptions, NO_EFFECTS, recordEffects, warning } from '../../core/effects.ts'
import type { JsonRecord } from '../../core/json.ts'
import { SYSTEM_BLOCK_WARNING } from '../../core/prompt.ts'
import { serverRecord, startServer } from './app-server.ts'
import { execRecord } from './exec.ts'
import { exitEffects } from './exit.ts'
import { systemPromptPlace } from './prompt.ts'
import { answer } from './requests.ts'
import { createState, type DialogueState } from './state.ts'
import { stderrLine } from './stderr.ts'
import { close, interrupt, isBusy, steer, userTurn } from './turns.ts'

const IGNORED_OPTIONS = ['temperature', 'topP', 'topK', 'maxTokens', 'maxOutputTokens'] as const

function start(state: DialogueState): Effect[] {
  const { options } = state
  const effects = [...ignoredOptions('Codex', options, IGNORED_OPTIONS)]
  if (systemPromptPlace(options) === 'prompt') effects.push(warning(SYSTEM_BLOCK_WARNING))
  if (!state.isExec) effects.push(...startServer(state))
  return effects
}

/** Which of the two wires a record belongs to shows in the record, so recordings need no hint. */
function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  // A record of exec has a type; one of the app server has a method or the id of a request.
  state.isExec = record.method === undefined && typeof record.type === 'string'
  return state.isExec ? execRecord(state, record) : serverRecord(state, record)
}

function command(state: DialogueState, given: DialogueCommand): Effect[] | null {
  if (state.isExec) return null
  switch (given.type) {
    case 'user_turn':
      return userTurn(state, given.text)
    case 'steer':
      return steer(state, given.text)
    case 'interrupt':
      return interrupt(state)
    case 'approve':
    case 'deny':
    case 'answer':
      return answer(state, given)
    case 'set_model':
      // Told to the server with the next turn.
      state.chosenModel = given.model
      return NO_EFFECTS
    case 'close':
      return close(state)
  }
}

/** Speaks both wires of Codex: the app server's, and the one-way records of `codex exec --json`. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stderr') return stderrLine(state, line)
      return recordEffects(line, (record) => nativeRecord(state, record))
    },
    onCommand: (given: DialogueCommand) => command(state, given),
    onExit: (exit: DialogueExit) => exitEffects(state, exit),
    busy: () => isBusy(state),
  }
}
