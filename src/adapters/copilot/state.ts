import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'
import type { Subagent } from './subagents.ts'

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
  readonly subagents: Map<string, Subagent>
  /** The names of the MCP servers that were reported. */
  readonly servers: Set<string>
  /** Permissions that the user was asked for, with the call that each is about, and the calls that he refused. */
  readonly asked: Map<string, string | undefined>
  readonly denied: Set<string>
  sessionOpen: boolean
  model: string | undefined
  failedCall: { status: number | undefined; attempt: number; reason: string } | undefined
  /** The turn has its verdict: however the process exits now, that is kept. */
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    calls: new OpenCalls(),
    streamedShells: new Set(),
    streamedMessage: undefined,
    streamedThinking: undefined,
    begunCalls: new Set(),
    subagents: new Map(),
    servers: new Set(),
    asked: new Map(),
    denied: new Set(),
    sessionOpen: false,
    model: undefined,
    failedCall: undefined,
    settled: false,
  }
}
