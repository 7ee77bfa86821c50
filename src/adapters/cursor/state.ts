import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What the dialogue of a one-shot run knows. */
export interface DialogueState {
  readonly options: RunOptions
  readonly calls: Map<string, ToolCall>
  cwd: string
  model: string | undefined
  /** Pieces of the present message have come: the whole of it, which follows, is not news. */
  isStreaming: boolean
  hasText: boolean
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  const cwd = options.cwd ?? ''
  return { options, calls: new OpenCalls(), cwd, model: undefined, isStreaming: false, hasText: false, settled: false }
}
