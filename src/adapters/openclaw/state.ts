import type { RunOptions } from '../../contract/run-options.ts'

export interface DialogueState {
  readonly options: RunOptions
  sessionId: string
  /** Calls that the log has told, so that those of the document are not told again. */
  toolsTold: boolean
  /** The log has told that the turn has begun. */
  begun: boolean
  /** The document has told how the turn ended. */
  settled: boolean
}

export function initialState(options: RunOptions): DialogueState {
  return { options, sessionId: '', toolsTold: false, begun: false, settled: false }
}
