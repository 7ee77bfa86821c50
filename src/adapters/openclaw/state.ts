import type { Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'

export interface DialogueState {
  readonly options: RunOptions
  sessionId: string
  /** Calls that the log has reported, so that those of the document are not reported again. */
  reportedTools: boolean
  /** The beginning of the turn has been emitted. */
  begun: boolean
  /** The document has said how the turn ended. */
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return { options, sessionId: '', reportedTools: false, begun: false, settled: false }
}

/** The log, where it is talkative, or the document is the first to report the turn. */
export function begin(state: DialogueState): Effect[] {
  if (state.begun) return NO_EFFECTS
  state.begun = true
  return [{ emit: { type: 'turn_start' } }]
}
