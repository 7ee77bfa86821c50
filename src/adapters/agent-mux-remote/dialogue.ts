import type { Dialogue, DialogueCommand, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS, recordEffects, writeLine } from '../../core/effects.ts'
import { exitEffects } from './exit.ts'
import { runRequest } from './options.ts'
import { createState, type DialogueState } from './state.ts'
import { received } from './stream.ts'

/** Lines of `amux run --json --stdio`: its events are ours, our commands are its commands. */
export function createDialogue(_options: RunOptions): Dialogue {
  const state = createState()
  return {
    start: (options) => [writeLine(runRequest(options))],
    onLine: (line, source) =>
      source === 'stderr' ? NO_EFFECTS : recordEffects(line, (record) => received(state, record)),
    onCommand: (command) => commandEffects(state, command),
    onExit: (exit) => exitEffects(state, exit),
    // Once asked to end, it reports how it ended: wait for that.
    busy: () => state.queuedTurns > 0 || (state.hasSaidClose && state.result === null),
  }
}

function commandEffects(state: DialogueState, command: DialogueCommand): Effect[] {
  if (command.type === 'user_turn') state.queuedTurns += 1
  if (command.type === 'close') state.hasSaidClose = true
  if (command.type === 'approve' || command.type === 'deny') state.answered.add(command.interactionId)
  return [writeLine(command)]
}
