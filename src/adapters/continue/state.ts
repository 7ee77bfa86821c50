import type { RunOptions } from '../../contract/run-options.ts'

/** What one dialogue knows. */
export interface DialogueState {
  readonly options: RunOptions
  /** We have started it, so what it prints is plain text. */
  live: boolean
  hasAnswer: boolean
  /** We have ended it, because nothing followed the answer. */
  wasClosed: boolean
  lineCount: number
}

export function createState(options: RunOptions): DialogueState {
  return { options, live: false, hasAnswer: false, wasClosed: false, lineCount: 0 }
}
