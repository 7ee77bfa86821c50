import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What the reader of its own stream knows. */
export interface DialogueState {
  readonly options: RunOptions
  readonly calls: Map<string, ToolCall>
  /** The beginning of the turn has been emitted. */
  begun: boolean
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return { options, calls: new OpenCalls(), begun: false, settled: false }
}
