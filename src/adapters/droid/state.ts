import type { RunOptions } from '../../contract/run-options.ts'
import type { UsageCounts } from '../../core/usage.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'
import { manifest } from './manifest.ts'

/** What an answer is to. */
export type SentRequest = 'initialize' | 'load' | 'load-origin' | 'fork' | 'settings' | 'message' | 'other'

/** A request of the CLI's that waits for its answer. */
export interface PendingRequest {
  questions: { index: number; question: string }[]
  /** By the place of the question. */
  answers: Map<number, string>
}

export interface DialogueState {
  readonly options: RunOptions
  readonly defaultModel: string
  requestCount: number
  readonly sent: Map<string, SentRequest>
  readonly pending: Map<string, PendingRequest>
  sessionId: string
  cwd: string
  /** A turn is running, or was asked for. */
  busy: boolean
  /** We gave up on the agent: what comes now is of no interest. */
  ended: boolean
  /** User turns that wait for the running one to end. */
  readonly queued: string[]

  /** What the session has used in all, as it was last reported. */
  sessionUsage: UsageCounts | null

  // The turn.
  /** What was reported about its usage. */
  turnUsage: UsageCounts | null
  textIsOpen: boolean
  readonly calls: Map<string, ToolCall>
  /** Output of a running command that was reported already, by its call. */
  readonly shellOutput: Map<string, string>
  /** Calls that wait for a sub-agent, with its session and kind. */
  readonly subagents: Map<string, { subagentId: string; agentName: string }>
  /** Calls that somebody was asked about. */
  readonly asked: Set<string>
  lastError: string
  /** A turn has begun and not ended, as far as the CLI itself reports. */
  turnOpen: boolean
  /** It is `exec` that speaks, in a recording. */
  isExec: boolean
  /** In `stream-json` the turn has ended. */
  completed: boolean
  /** The last thought, which is reported twice. */
  lastThought: string
}

export function createState(options: RunOptions): DialogueState {
  return {
    options,
    defaultModel: manifest.defaultModelId ?? '',
    requestCount: 0,
    sent: new Map(),
    pending: new Map(),
    sessionId: '',
    cwd: options.cwd ?? '',
    busy: false,
    ended: false,
    queued: [],
    sessionUsage: null,
    turnUsage: null,
    textIsOpen: false,
    calls: new OpenCalls(),
    shellOutput: new Map(),
    subagents: new Map(),
    asked: new Set(),
    lastError: '',
    turnOpen: false,
    isExec: false,
    completed: false,
    lastThought: '',
  }
}

/** Forgets what belongs to the turn that has ended. */
export function forgetTurn(state: DialogueState): void {
  state.busy = false
  state.turnOpen = false
  state.calls.clear()
  state.shellOutput.clear()
  state.subagents.clear()
  state.asked.clear()
  state.pending.clear()
  state.lastError = ''
}
