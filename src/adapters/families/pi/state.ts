import type { RunOptions } from '../../../contract/run-options.ts'
import type { TokenUsage } from '../../../contract/usage.ts'
import type { FailureKind } from '../../../core/failures.ts'
import { emptyUsage } from '../../../core/usage.ts'
import { OpenCalls } from '../../kit/open-calls.ts'
import type { ToolCall } from '../../kit/tools.ts'
import type { PiDialect } from './dialect.ts'

/** Why the last reply of the model is none. */
export interface ReplyFailure {
  kind: FailureKind
  message: string
}

/** A call, from when the model has begun it. */
export interface OpenCall extends ToolCall {
  /** What of its output has been shown already. */
  shown: string
}

/** A dialog of the CLI that waits for its answer. */
export interface PendingDialog {
  method: string
  isApproval: boolean
  options: string[]
  toolCallId: string | undefined
}

/** What one dialogue knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly dialect: PiDialect
  readonly options: RunOptions
  /** We talk to the CLI. False in a recording, and in the one-shot form. */
  live: boolean
  requestCount: number
  readonly pending: Map<string, PendingDialog>

  // The session.
  sessionOpen: boolean
  cwd: string
  model: string | undefined
  provider: string | undefined

  // The turn: from what the user says until the agent hands back, in as many runs of its loop as that takes.
  readonly queued: string[]
  isFirstTurn: boolean
  turnOpen: boolean
  /** The agent has taken the turn up. */
  begun: boolean
  /** The agent's loop is running, as far as it has reported. */
  loopOpen: boolean
  steered: boolean
  interrupting: boolean
  failure: ReplyFailure | null
  /** The last reply was stopped in the middle. */
  aborted: boolean
  /** What the CLI is trying again after. */
  retrying: ReplyFailure | null
  /**
   * Before 1.0 nothing shows whether a failed loop will be tried again: the next record does. Meanwhile the turn is
   * neither here nor there.
   */
  unsettled: boolean
  compacting: boolean
  closing: boolean
  /** We gave up on the agent: what it still says does not count. */
  gaveUp: boolean
  /** A turn has its verdict: however the process exits now, that is kept. */
  settled: boolean

  // The reply.
  openBlock: 'text' | 'thinking' | null
  readonly streamed: Set<number>
  /** Ids of calls by the place of their block. */
  readonly callIds: Map<number, string>
  readonly calls: Map<string, OpenCall>

  // The run.
  readonly subagents: Map<string, 'running' | 'ended'>
  usage: TokenUsage
  costUsd: number
}

export function createState(dialect: PiDialect, options: RunOptions): DialogueState {
  return {
    dialect,
    options,
    live: false,
    requestCount: 0,
    pending: new Map(),
    sessionOpen: false,
    cwd: options.cwd ?? '',
    model: undefined,
    provider: undefined,
    queued: [],
    isFirstTurn: true,
    turnOpen: false,
    begun: false,
    loopOpen: false,
    steered: false,
    interrupting: false,
    failure: null,
    aborted: false,
    retrying: null,
    unsettled: false,
    compacting: false,
    closing: false,
    gaveUp: false,
    settled: false,
    openBlock: null,
    streamed: new Set(),
    callIds: new Map(),
    calls: new OpenCalls(),
    subagents: new Map(),
    usage: emptyUsage(),
    costUsd: 0,
  }
}

/** Forgets what belongs to the turn that has ended. */
export function forgetTurn(state: DialogueState): void {
  state.turnOpen = false
  state.begun = false
  state.steered = false
  state.interrupting = false
  state.failure = null
  state.aborted = false
  state.retrying = null
  state.unsettled = false
  state.compacting = false
  state.settled = true
  state.pending.clear()
  state.calls.clear()
}

/** Forgets the blocks of the reply before. */
export function forgetReply(state: DialogueState): void {
  state.openBlock = null
  state.streamed.clear()
  state.callIds.clear()
}
