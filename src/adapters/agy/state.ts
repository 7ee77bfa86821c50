import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What one dialogue knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly options: RunOptions
  /** Calls that have not ended, by the index of their step. */
  readonly calls: Map<string, ToolCall>
  readonly queued: string[]
  cwd: string
  model: string | undefined
  /** Words of the answer have come in this turn. */
  hasText: boolean
  turnOpen: boolean
  closing: boolean
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    calls: new OpenCalls(),
    queued: [],
    cwd: options.cwd ?? '',
    model: options.model,
    hasText: false,
    turnOpen: false,
    closing: false,
  }
}
