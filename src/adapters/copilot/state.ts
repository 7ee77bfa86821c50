import type { RunOptions } from '../../contract/run-options.ts'
import type { ToolCall } from '../../core/tools.ts'

/** What the dialogue of a one-shot run knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly options: RunOptions
  /** Calls that have no result yet. */
  readonly calls: Map<string, ToolCall>
  /** Calls whose output has come in pieces. */
  readonly streamedShells: Set<string>
  /** The message or the thinking that has come in pieces. */
  streamedMessage: string | undefined
  streamedThinking: string | undefined
  /** Tool calls that the model has begun to write. */
  readonly begunCalls: Set<string>
  /** The call that each sub-agent works for, by the id of the sub-agent. */
  readonly subagents: Map<string, string>
  sessionOpen: boolean
  model: string | undefined
  failedCall: { status: number | undefined; attempt: number; reason: string } | undefined
  /** The turn has its verdict: however the process leaves now, that stands. */
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    calls: new Map(),
    streamedShells: new Set(),
    streamedMessage: undefined,
    streamedThinking: undefined,
    begunCalls: new Set(),
    subagents: new Map(),
    sessionOpen: false,
    model: undefined,
    failedCall: undefined,
    settled: false,
  }
}
