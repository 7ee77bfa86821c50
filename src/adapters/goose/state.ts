import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What the dialogue of a one-shot run knows. */
export interface DialogueState {
  readonly options: RunOptions
  readonly calls: Map<string, ToolCall>
  messageId: string | undefined
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return { options, calls: new OpenCalls(), messageId: undefined, settled: false }
}
