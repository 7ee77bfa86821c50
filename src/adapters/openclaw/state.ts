import type { RunOptions } from '../../contract/run-options.ts'

export interface DialogueState {
  readonly options: RunOptions
  /** The lines so far of the document that ends a run; it is printed over many. */
  document: string[]
  sessionId: string
  /** Calls that the log has told, so that those of the document are not told again. */
  toolsTold: boolean
  /** The document has told how the turn ended. */
  settled: boolean
}

export function initialState(options: RunOptions): DialogueState {
  return { options, document: [], sessionId: '', toolsTold: false, settled: false }
}
