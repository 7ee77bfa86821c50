import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What the dialogue of a one-shot run knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly options: RunOptions
  /** Calls that have no result yet. */
  readonly calls: Map<string, ToolCall>
  model: string | undefined
  /** The session has begun. */
  begun: boolean
  /** The last error that the stream reported, and the last one that stops the turn. */
  lastError: string | undefined
  stopped: string | undefined
  /** The turn has its verdict: however the process exits now, that is kept. */
  settled: boolean
  /** Why the last request to the model failed, as stderr reports it. */
  retryReason: string | undefined
  retryCount: number
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    calls: new OpenCalls(),
    model: undefined,
    begun: false,
    lastError: undefined,
    stopped: undefined,
    settled: false,
    retryReason: undefined,
    retryCount: 0,
  }
}
