import type { RunOptions } from '../../contract/run-options.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What one dialogue knows. */
export interface DialogueState {
  readonly options: RunOptions
  /** It introduces itself first. */
  hasBegun: boolean
  /** What it has printed since the last request was over: the next answer, or why there is none. */
  lines: string[]
  /** A request has been answered: the lines after it are about what came of the answer. */
  isAfterAnswer: boolean
  hasAnswer: boolean
  retries: number
  calls: number
  /** A command that runs. Its output has no marks. */
  command: { call: ToolCall; output: string[] } | null
  tokenLimit: boolean
}

export function createState(options: RunOptions): DialogueState {
  return {
    ...{ options, hasBegun: false, lines: [], isAfterAnswer: false, hasAnswer: false },
    ...{ retries: 0, calls: 0, command: null, tokenLimit: false },
  }
}
