import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What the reader of the one-way stream knows. */
export interface DialogueState {
  readonly options: RunOptions
  readonly calls: Map<string, ToolCall>
  /** Calls that were seen to run. */
  readonly begun: Set<string>
  /** Output of a running command that was reported already, by its call. */
  readonly shellOutput: Map<string, string>
  /** A call was refused in this run, which also ends the turn. */
  hasDenied: boolean
  turnBegun: boolean
  textIsOpen: boolean
  hitTurnLimit: boolean
  /** What each reply used was reported with it. */
  reportedCounts: boolean
  /** The run has its verdict. */
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    calls: new OpenCalls(),
    begun: new Set(),
    shellOutput: new Map(),
    hasDenied: false,
    turnBegun: false,
    textIsOpen: false,
    hitTurnLimit: false,
    reportedCounts: false,
    settled: false,
  }
}
