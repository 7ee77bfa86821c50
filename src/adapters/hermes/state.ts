import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What the dialogue of a one-shot run knows. */
export interface DialogueState {
  readonly options: RunOptions
  /** Calls that have not ended; those without an id go by their names. */
  readonly calls: Map<string, ToolCall>
  callCount: number
  model: string | undefined
  hasText: boolean
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return { options, calls: new OpenCalls(), callCount: 0, model: undefined, hasText: false, settled: false }
}
