import type { RunOptions } from '../../contract/run-options.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

export interface OpenCall {
  call: ToolCall
  /** Somebody was asked for it. */
  wasAsked: boolean
  /** Somebody, or a rule, has allowed it. */
  isAllowed: boolean
}

/** What one dialogue knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly options: RunOptions
  /** We talk to an agent. False in a recording, where nobody reports how a question was answered. */
  live: boolean
  /** Calls whose end is not known yet. */
  readonly calls: Map<string, OpenCall>
  /** By the id of the call, the request that waits for an answer. */
  readonly requests: Map<string, string>
  readonly queued: string[]
  requestCount: number
  cwd: string
  model: string | undefined
  /** The part of the turn that is running: a call of the model and what came of it. */
  part: string | undefined
  turnOpen: boolean
  closing: boolean
  interrupted: boolean
  /** The turn has failed, which was emitted. */
  failed: boolean
  /** A turn has its result. */
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    live: false,
    calls: new OpenCalls(),
    requests: new Map(),
    queued: [],
    requestCount: 0,
    cwd: options.cwd ?? '',
    model: undefined,
    part: undefined,
    turnOpen: options.nonInteractive === true,
    closing: false,
    interrupted: false,
    failed: false,
    settled: false,
  }
}
