import type { RunOptions } from '../../contract/run-options.ts'
import type { NativeError } from '../families/opencode/errors.ts'
import { createUsage, type RunUsage } from '../families/opencode/usage.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** Text or thinking, as far as it has come. */
export interface TextPart {
  type: 'text' | 'reasoning'
  /** How many characters were reported. */
  emitted: number
  isDone: boolean
}

export interface ToolPart {
  isReady: boolean
  isDone: boolean
  /** How many characters of what the command prints were reported. */
  emitted: number
  /** Its name and input, once they are known. */
  call?: Pick<ToolCall, 'toolName' | 'input'>
}

/** A request of the agent that waits for its answer. */
export type PendingRequest =
  | { kind: 'permission'; id: string }
  /** One of the questions of a request; they share the answers. */
  | { kind: 'question'; id: string; index: number; answers: (string | undefined)[] }

/** What one dialogue knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly options: RunOptions
  /** We talk to a server. False in a recording. */
  live: boolean
  base: string
  requestCount: number
  readonly pending: Map<string, PendingRequest>

  // The session.
  sessionId: string
  sessionOpen: boolean
  model: string | undefined
  /** Sessions of sub-agents, by id, with the calls that started them. */
  readonly children: Map<string, string>
  readonly usage: RunUsage
  /** Messages that are not part of the answer: those of the user, and summaries. */
  readonly hidden: Set<string>
  readonly texts: Map<string, TextPart>
  readonly tools: Map<string, ToolPart>

  // The turn.
  /** User turns that wait for the running one to end. */
  readonly queued: string[]
  isFirstTurn: boolean
  turnOpen: boolean
  /** The server has begun with the turn: before that, what it says of idleness is about the one before. */
  isBusy: boolean
  interrupted: boolean
  closing: boolean
  /** The last turn has its verdict: however the process exits now, that is kept. */
  settled: boolean
  error: NativeError | undefined
  /** How the last step ended. */
  lastReason: string
  /** The part that has begun the open step; empty without one. */
  step: string
  /** Calls that somebody was asked about. */
  readonly asked: Set<string>
  structured: unknown
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    live: false,
    base: '',
    requestCount: 0,
    pending: new Map(),
    sessionId: '',
    sessionOpen: false,
    model: options.model,
    children: new Map(),
    usage: createUsage(),
    queued: [],
    isFirstTurn: true,
    turnOpen: false,
    isBusy: false,
    interrupted: false,
    closing: false,
    settled: false,
    error: undefined,
    lastReason: '',
    step: '',
    hidden: new Set(),
    texts: new Map(),
    tools: new OpenCalls(),
    asked: new Set(),
    structured: undefined,
  }
}

/** Forgets what belongs to the turn that has ended. */
export function forgetTurn(state: DialogueState): void {
  state.turnOpen = false
  state.isBusy = false
  state.interrupted = false
  state.settled = true
  state.error = undefined
  state.lastReason = ''
  state.step = ''
  state.structured = undefined
  state.pending.clear()
  state.asked.clear()
  // The server may still finish what it was about: that is reported already.
  for (const text of state.texts.values()) text.isDone = true
  for (const tool of state.tools.values()) tool.isDone = true
}

/** The call that a session belongs to: undefined for the session of the run itself, null when it is none of ours. */
export function callOf(state: DialogueState, sessionId: string): string | undefined | null {
  if (sessionId === state.sessionId) return undefined
  return state.children.get(sessionId) ?? null
}
