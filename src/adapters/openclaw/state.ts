import type { Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'

export interface DialogueState {
  readonly options: RunOptions
  sessionId: string
  /** Calls that the log has told, so that those of the document are not told again. */
  toolsTold: boolean
  /** The turn has been told to have begun. */
  begun: boolean
  /** The document has told how the turn ended. */
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return { options, sessionId: '', toolsTold: false, begun: false, settled: false }
}

/** The log, where it is talkative, or the document is the first that tells of the turn. */
export function begin(state: DialogueState): Effect[] {
  if (state.begun) return NO_EFFECTS
  state.begun = true
  return [{ emit: { type: 'turn_start' } }]
}
