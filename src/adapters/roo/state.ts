import type { RunOptions } from '../../contract/run-options.ts'
import type { ToolCall } from '../kit/tools.ts'

/** A call whose end is not reported yet. */
export interface OpenCall extends ToolCall {
  /** What it has printed so far. */
  output: string
}

export interface DialogueState {
  readonly options: RunOptions
  /** What was reported about a message so far, by its id: the last record of it repeats the whole. */
  readonly emitted: Map<unknown, string>
  call: OpenCall | null
  callCount: number
  /** The last message as a whole: without another answer, the result repeats it. */
  lastText: string
  /** The last error; the task may go on after it. */
  lastError: string
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return { options, emitted: new Map(), call: null, callCount: 0, lastText: '', lastError: '', settled: false }
}
