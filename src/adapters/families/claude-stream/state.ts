import type { RunOptions } from '../../../contract/run-options.ts'
import type { TokenUsage } from '../../../contract/usage.ts'
import type { JsonRecord } from '../../../core/json.ts'
import { emptyUsage, type UsageCounts } from '../../../core/usage.ts'
import { OpenCalls } from '../../kit/open-calls.ts'
import type { ToolCall } from '../../kit/tools.ts'
import type { ClaudeDialect } from './dialect.ts'
import type { Reply } from './reply-usage.ts'

/** A `can_use_tool` request that waits for its answer. */
export interface PendingRequest {
  input: JsonRecord
  toolCallId: string | undefined
  /** The questions of a question tool, and the answers so far by question. */
  questions: string[]
  answers: Map<string, string>
}

/** What an `assistant` line with an error said; the `result` line only repeats its text. */
interface ApiError {
  code: string
  text: string
}

/** What one dialogue knows. The functions in the sibling files read and change it. */
export interface DialogueState {
  readonly dialect: ClaudeDialect
  readonly options: RunOptions
  sessionId: string
  cwd: string
  /** A key from the environment cannot become valid by trying again; a login or a key helper can. */
  keyIsFixed: boolean
  /** A turn is running, or was asked for. */
  busy: boolean
  closing: boolean
  /** We gave up on the agent: however it exits now, the verdict is kept. */
  ended: boolean
  /** User turns that wait for the running one to end. */
  readonly queued: string[]
  /** The CLI has taken up the message of the running turn. */
  begun: boolean
  /** Steers from before that. */
  readonly early: string[]
  /** Steers that the CLI has not taken up yet. */
  steers: string[]
  /** The last turn has ended with some of them, so another one comes by itself. */
  leftOver: boolean
  requestCount: number
  readonly pending: Map<string, PendingRequest>
  readonly calls: Map<string, ToolCall>
  /** Sub-agents by task id. */
  readonly subagents: Map<string, { subagentId: string; agentName: string }>

  // The content block that is being streamed.
  streamedMessageId: string
  blockType: string
  blockToolId: string
  blockText: string
  /** The type of a block that has ended without its whole: it was cut off, or had no text. */
  cutBlock: string
  /** The last response broke off, and will be asked for again. */
  isAbandoned: boolean

  /** Streamed blocks whose `assistant` record is still to come, where that follows the block. */
  readonly streamedBlocks: string[]

  // The turn.
  textSeen: boolean
  authRetries: number
  /** The last retry that was announced with its delay has not begun yet. */
  retryIsAnnounced: boolean
  retries: number
  apiError: ApiError | null
  /** The plan's limit is used up until then (epoch ms; 0 when the reset is not reported). */
  quotaResetAt: number | null

  // The run.
  /** Calls that were denied and reported as such; some CLIs list them again with every result. */
  readonly denied: Set<string>
  usage: TokenUsage
  /**
   * What the session had used by the end of the last turn, where a result reports it, and what was reported by then.
   */
  sessionTotals: { counts: UsageCounts; reported: TokenUsage } | null
  /** Sub-agents and tries again make requests that no message reports. */
  hasUnreportedRequests: boolean
  /** The running turn's replies by id. */
  readonly replies: Map<string, Reply>
  costUsd: number | null
  modelTotals: JsonRecord | null
  totalCostUsd: number | null
  /** As the last turn named it. */
  model: string
}

export function createState(dialect: ClaudeDialect, options: RunOptions): DialogueState {
  return {
    dialect,
    options,
    sessionId: '',
    cwd: options.cwd ?? '',
    keyIsFixed: false,
    busy: options.nonInteractive === true,
    closing: false,
    ended: false,
    queued: [],
    begun: false,
    early: [],
    steers: [],
    leftOver: false,
    requestCount: 0,
    pending: new Map(),
    calls: new OpenCalls(),
    subagents: new Map(),
    streamedMessageId: '',
    blockType: '',
    blockToolId: '',
    blockText: '',
    cutBlock: '',
    isAbandoned: false,
    streamedBlocks: [],
    textSeen: false,
    authRetries: 0,
    retryIsAnnounced: false,
    retries: 0,
    apiError: null,
    denied: new Set(),
    quotaResetAt: null,
    usage: emptyUsage(),
    sessionTotals: null,
    hasUnreportedRequests: false,
    replies: new Map(),
    costUsd: null,
    modelTotals: null,
    totalCostUsd: null,
    model: '',
  }
}

/** Forgets what belongs to the turn that has ended. */
export function forgetTurn(state: DialogueState): void {
  state.busy = false
  state.begun = false
  state.textSeen = false
  state.authRetries = 0
  state.retryIsAnnounced = false
  state.retries = 0
  state.apiError = null
  state.quotaResetAt = null
  state.hasUnreportedRequests = false
  state.pending.clear()
  state.calls.clear()
  state.replies.clear()
  state.blockType = ''
  state.cutBlock = ''
  state.isAbandoned = false
  state.streamedBlocks.length = 0
}
