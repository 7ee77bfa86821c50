import type { ErrorCode } from './errors.ts'
import type { AgentEvent, AgentEventType, EventOfType, RiskLevel, ToolAccess } from './events.ts'
import type { AgentName } from './names.ts'
import type { ExitReason, Outcome } from './outcome.ts'
import type { QuotaStatus } from './quota.ts'
import type { CostRecord, ModelUsage, TokenUsage } from './usage.ts'

/** The error of a failed run. */
export interface RunError {
  code: ErrorCode
  message: string
  /** The last 64 KiB of the agent's stderr. */
  stderr: string
  recoverable: boolean
  /** What `abort(reason)` or the caller's signal gave as the reason. Not in JSON, like the cause of an `Error`. */
  readonly cause?: unknown
}

/** The result of a run. */
export interface RunResult<Output = unknown> {
  runId: string
  agent: AgentName
  /** The model that did most of the spend; helpers are in `usageByModel`. */
  model: string | null
  sessionId: string | null
  /** The agent's final answer: the last message of the last turn. */
  text: string
  /** Present when `outputSchema` was given and the answer fits it. */
  structuredOutput?: Output
  cost: CostRecord | null
  durationMs: number
  exitCode: number | null
  signal: string | null
  exitReason: ExitReason
  outcome: Outcome
  tokenUsage: TokenUsage | null
  usageByModel: Record<string, ModelUsage>
  /** The provider's tier that served the last request, where the agent reports one. */
  serviceTier?: string
  /** What the agent reported about the user's plan, if anything. */
  quota?: QuotaStatus
  turnCount: number
  error: RunError | null
  /** Filled only with `collectEvents`. */
  events: AgentEvent[]
  tags: string[]
  /** Native records that the adapter does not know, counted by native type. */
  unrecognized: Record<string, number>
}

/** Where a run is in its life. */
export type RunState =
  | 'spawned'
  | 'running'
  | 'paused'
  | 'interrupted'
  | 'completed'
  | 'aborted'
  | 'timed-out'
  | 'crashed'
  | 'killed'

/** What an approval or a question is about. */
export type InteractionDetail =
  | {
      kind: 'approval'
      action: string
      toolName?: string
      riskLevel: RiskLevel
      /** The input of the tool, and what it would touch. */
      input?: unknown
      access?: ToolAccess
    }
  | { kind: 'input'; question: string; context?: string; options?: string[]; source: 'agent' | 'tool' }

/** An approval or a question that waits for an answer. */
export interface PendingInteraction {
  id: string
  type: 'approval' | 'input'
  runId: string
  description: string
  detail: InteractionDetail
  createdAt: number
}

/** An answer to an approval or a question. */
export type InteractionResponse =
  | { type: 'approve'; detail?: string }
  | { type: 'deny'; reason?: string }
  | { type: 'text'; text: string }

/** Questions and approvals that wait for an answer, oldest first. */
export interface InteractionChannel {
  readonly pending: readonly PendingInteraction[]
  onPending(callback: (interaction: PendingInteraction) => void): () => void
  respond(id: string, response: InteractionResponse): void
  approveAll(): void
  denyAll(reason?: string): void
}

/** Text as it comes: to be read with `for await`, or handed on as a web stream. */
export type TextStream = ReadableStream<string> & AsyncIterable<string>

/** What `run.toResponse` takes. */
export interface ResponseOptions {
  /**
   * `sse` (default): each event as a server-sent event of its type, then `run_result`. `ndjson`: the same, one a line.
   * `text`: only the text of the agent.
   */
  format?: 'sse' | 'ndjson' | 'text' | undefined
  status?: number | undefined
  headers?: Record<string, string> | undefined
  /** What happens to the run when the client goes away. `continue` unless given. */
  onDisconnect?: 'abort' | 'continue' | undefined
}

/** When a message reaches an agent that is busy. */
export type DeliveryTime = 'next-turn' | 'after-tool' | 'after-response'

/**
 * One run, with three faces: an async iterable of events (every iterator sees every event), an emitter, and a
 * promise of the result. After spawn the promise never rejects.
 */
export interface RunHandle<Output = unknown>
  extends AsyncIterable<AgentEvent>,
    PromiseLike<RunResult<Output>>,
    AsyncDisposable {
  readonly runId: string
  readonly agent: AgentName
  readonly model: string | null
  readonly state: RunState
  readonly interaction: InteractionChannel
  /**
   * What the agent says, without thinking and tools; messages are a blank line apart. A stream of its own each time. Text
   * of an attempt that fails later (`attempt_withdrawn`) has been handed out by then.
   */
  readonly textStream: TextStream

  on<Type extends AgentEventType>(type: Type, listener: (event: EventOfType<Type>) => void): this
  on(type: '*', listener: (event: AgentEvent) => void): this
  once<Type extends AgentEventType>(type: Type, listener: (event: EventOfType<Type>) => void): this
  off(type: AgentEventType | '*', listener: (event: never) => void): this

  /** A message to the agent: a new turn, or what its protocol does with one while it works. */
  send(text: string): Promise<void>
  queue(prompt: string, options?: { when?: DeliveryTime }): Promise<void>
  steer(prompt: string, options?: { when?: DeliveryTime }): Promise<void>
  continue(prompt: string): Promise<void>
  approve(detail?: string): Promise<void>
  deny(reason?: string): Promise<void>
  setModel(model: string): Promise<void>
  /** Stop the current turn; the run stays usable where the protocol allows it. */
  interrupt(): Promise<void>
  /** Ends the run. The reason is in the outcome's evidence, and in `error.cause` of the result. */
  abort(reason?: unknown): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  /** No more turns: lets a kept-open run end. */
  close(): Promise<void>
  /** The run as a web-standard response that is written as fast as the client reads. */
  toResponse(options?: ResponseOptions): Response
  result(): Promise<RunResult<Output>>
  catch<T = never>(onRejected: (reason: unknown) => T | PromiseLike<T>): Promise<RunResult<Output> | T>
  finally(onFinally: () => void): Promise<RunResult<Output>>
  /** `await using run = …`: ends what still runs. */
  [Symbol.asyncDispose](): Promise<void>
}
