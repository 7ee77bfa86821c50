import type { Dialogue, DialogueCommand, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, writeLine } from '../../core/effects.ts'
import type { JsonRecord } from '../../core/json.ts'
import { type CommandHandlers, handleCommand } from '../kit/commands.ts'
import { endWithoutResult, oneWayStart } from '../kit/one-way.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { closeWhenIdle, isBusy, queueTurn } from '../kit/turn-queue.ts'
import { userRecord } from './args.ts'
import { createState, type DialogueState } from './state.ts'
import { GUIDANCE, streamRecord } from './stream.ts'

const AGENT = {
  displayName: 'Antigravity',
  guidance: GUIDANCE,
  exitWords: [
    { pattern: /^.*(authentication required|not signed in).*$/im, kind: 'auth' },
    { pattern: /^.*conversation.*not found.*$/im, kind: 'session_not_found' },
  ],
} as const

function userMessage(content: string): Effect {
  return writeLine(userRecord(content))
}

function start(state: DialogueState): Effect[] {
  const effects = [...oneWayStart(state.options)]
  state.turnOpen = true
  return state.options.nonInteractive ? effects : [...effects, userMessage(promptWithSystem(state.options))]
}

/** A prompt may be written only once the turn before has its result. */
function nativeRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const effects = streamRecord(state, record)
  return record.event === 'result' ? [...effects, ...startNext(state)] : effects
}

function startNext(state: DialogueState): Effect[] {
  const text = state.queued.shift()
  if (text === undefined) return state.closing ? [{ closeStdin: true }] : NO_EFFECTS
  state.turnOpen = true
  return [{ emit: { type: 'turn_start' } }, userMessage(text)]
}

const COMMANDS: CommandHandlers<DialogueState> = {
  userTurn: (state, text) => queueTurn(state, text, startNext),
  close: (state) => closeWhenIdle(state),
}

/** Speaks the stream of the Antigravity CLI: prompts as records in, records out. */
export function createDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  let hasBegun = false
  return {
    start: () => start(state),
    onLine(line: string, source: StreamSource): Effect[] {
      if (source === 'stderr') return NO_EFFECTS
      return recordEffects(line, (record) => {
        if (record.event === 'result') hasBegun = true
        return nativeRecord(state, record)
      })
    },
    onCommand: (command: DialogueCommand) => (options.nonInteractive ? null : handleCommand(COMMANDS, state, command)),
    onExit: (exit: DialogueExit) => (hasBegun && !state.turnOpen ? NO_EFFECTS : endWithoutResult(AGENT, exit)),
    busy: () => isBusy(state),
  }
}
