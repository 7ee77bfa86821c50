import type { ErrorCode } from './errors.ts'
import type { AgentEvent, AgentEventType, EventOfType, RiskLevel } from './events.ts'
import type { AgentName } from './names.ts'
import type { ExitReason, Outcome } from './outcome.ts'
import type { QuotaStatus } from './quota.ts'
import type { CostRecord, ModelUsage, TokenUsage } from './usage.ts'

export interface RunError {
  code: ErrorCode
  message: string
  /** The last 64 KiB of the agent's stderr. */
  stderr: string
  recoverable: boolean
}

export interface RunResult {
  runId: string
  agent: AgentName
  /** The model that did most of the spend; helpers are in `usageByModel`. */
  model: string | null
  sessionId: string | null
  /** The agent's final answer: the last message of the last turn. */
  text: string
  /** Present when `outputSchema` was given and the agent kept to it. */
  structuredOutput?: unknown
  cost: CostRecord | null
  durationMs: number
  exitCode: number | null
  signal: string | null
  exitReason: ExitReason
  outcome: Outcome
  tokenUsage: TokenUsage | null
  usageByModel: Record<string, ModelUsage>
  /** What the agent told of the user's plan, if anything. */
  quota?: QuotaStatus
  turnCount: number
  error: RunError | null
  /** Filled only with `collectEvents`. */
  events: AgentEvent[]
  tags: string[]
  /** Native records that the adapter does not know, counted by native type. */
  unrecognized: Record<string, number>
}

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

export type InteractionDetail =
  | { kind: 'approval'; action: string; toolName?: string; riskLevel: RiskLevel }
  | { kind: 'input'; question: string; context?: string; options?: string[]; source: 'agent' | 'tool' }

export interface PendingInteraction {
  id: string
  type: 'approval' | 'input'
  runId: string
  description: string
  detail: InteractionDetail
  createdAt: number
}

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

export type DeliveryTime = 'next-turn' | 'after-tool' | 'after-response'

/**
 * One run, with three faces: an async iterable of events (every iterator sees every event), an emitter, and a
 * promise of the result. After spawn the promise never rejects.
 */
export interface RunHandle extends AsyncIterable<AgentEvent>, PromiseLike<RunResult> {
  readonly runId: string
  readonly agent: AgentName
  readonly model: string | null
  readonly state: RunState
  readonly interaction: InteractionChannel

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
  abort(): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  /** No more turns: lets a kept-open run end. */
  close(): Promise<void>
  result(): Promise<RunResult>
  catch<T = never>(onRejected: (reason: unknown) => T | PromiseLike<T>): Promise<RunResult | T>
  finally(onFinally: () => void): Promise<RunResult>
}
