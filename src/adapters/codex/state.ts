import type { RunOptions } from '../../contract/run-options.ts'
import type { JsonRecord } from '../../core/json.ts'
import type { UsageCounts } from '../../core/usage.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import { usesExec } from './options.ts'

export type RequestId = string | number

/** A request of ours that the server has not answered yet. */
export type SentRequest = { kind: 'initialize' | 'thread' | 'turn' | 'interrupt' } | { kind: 'steer'; text: string }

/** A request of the server that waits for its answer. One with several questions waits once for each. */
export interface PendingRequest {
  id: RequestId
  interactionId: string
  /** What is asked for, which decides how the answer looks. */
  kind: 'decision' | 'permissions' | 'mcp_tool' | 'form' | 'question'
  params: JsonRecord
  /** The call that it is about. */
  itemId?: string
  /** The question, and the answers so far, which all questions of the request share. */
  questionId?: string
  answers?: Map<string, string[]>
}

/** The items of one thread: which have begun, and which have already come in pieces. */
export interface ThreadItems {
  /** Set when the thread is a sub-agent's: its tools are shown, its words are not. */
  readonly parentToolCallId: string | undefined
  readonly openCalls: Map<string, JsonRecord>
  readonly streamedShells: Set<string>
  streamedId: string
  /** The text of the last whole message. */
  lastMessage: string
}

export interface Subagent {
  name: string
  items: ThreadItems
}

/** What one dialogue knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly options: RunOptions
  /** The wire is that of `codex exec --json`, else that of the app server. */
  isExec: boolean
  /** We talk to a server. False in a recording: what was written to the server is not known there. */
  live: boolean
  requestCount: number
  readonly sent: Map<number, SentRequest>
  readonly pending: Map<string, PendingRequest>

  // The session.
  threadId: string | undefined
  sessionOpen: boolean
  /** The thread comes without a sandbox that this run did not give up. */
  narrow: boolean
  model: string | undefined
  /** Of the thread, where its settings choose one. */
  serviceTier: string | undefined
  /** What the caller has set since. */
  chosenModel: string | undefined
  readonly items: ThreadItems
  readonly subagents: Map<string, Subagent>
  /** What each thread has used in all, as it last reported. */
  readonly threadTotals: Map<string, UsageCounts>

  // The turn.
  /** User turns that wait for the running one to end. */
  readonly queued: string[]
  isFirstTurn: boolean
  turnOpen: boolean
  /** Known once the turn really runs: before that the server refuses to interrupt or steer it. */
  turnId: string | undefined
  interruptWanted: boolean
  closing: boolean
  /** The last turn has its verdict: however the process exits now, that is kept. */
  settled: boolean
  contextTokens: { used: number; max: number }
  limitResetAt: number | undefined
  networkWaits: number
  /** An error that the end of the turn should repeat. */
  lastError: string | undefined

  // The run.
  planCount: number
  refusedCount: number
  readonly reportedFallbacks: Set<string>
}

export function createItems(parentToolCallId?: string): ThreadItems {
  return { parentToolCallId, openCalls: new OpenCalls(), streamedShells: new Set(), streamedId: '', lastMessage: '' }
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    isExec: usesExec(options),
    live: false,
    requestCount: 0,
    sent: new Map(),
    pending: new Map(),
    threadId: undefined,
    sessionOpen: false,
    narrow: false,
    model: undefined,
    serviceTier: undefined,
    chosenModel: undefined,
    items: createItems(),
    subagents: new Map(),
    threadTotals: new Map(),
    queued: [],
    isFirstTurn: true,
    turnOpen: false,
    turnId: undefined,
    interruptWanted: false,
    closing: false,
    settled: false,
    contextTokens: { used: 0, max: 0 },
    limitResetAt: undefined,
    networkWaits: 0,
    lastError: undefined,
    planCount: 0,
    refusedCount: 0,
    reportedFallbacks: new Set(),
  }
}

/** Forgets what belongs to the turn that has ended. */
export function forgetTurn(state: DialogueState): void {
  state.turnOpen = false
  state.turnId = undefined
  state.interruptWanted = false
  state.settled = true
  state.pending.clear()
}
