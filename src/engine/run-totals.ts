import type { AgentEvent, AgentEventType } from '../contract/events.ts'
import type { CostRecord, ModelUsage, TokenUsage } from '../contract/usage.ts'
import { decideFailure, saysSpent } from '../core/failure-codes.ts'
import type { FailureKind } from '../core/failures.ts'
import { type PriceOf, unpriced } from '../core/prices.ts'
import { addModelUsage, addUsage, emptyUsage } from '../core/usage.ts'
import { RequestLedger } from './request-ledger.ts'

/** Why the agent tries again. */
export interface Retrying {
  kind: FailureKind
  reason: string
  retryAfterMs?: number
  /** The agent has said that it tries again, and not only that there is a limit. */
  isTryingAgain?: boolean
  /** When its last try that we know of begins, or has failed where the agent does not say how long it waits. */
  triesAt?: number
  /** It has said how long it waits. */
  delayIsKnown?: boolean
}

/** These say nothing about whether the agent gets on. */
const NO_PROGRESS: ReadonlySet<AgentEventType> = new Set([
  'debug',
  'log',
  'retry',
  'attempt_withdrawn',
  'rate_limited',
  'session_checkpoint',
  'step_start',
  'step_end',
])

/** An answer that begins. It may break off, and be asked for again; what it has used is reported all the same. */
const STREAMED: ReadonlySet<AgentEventType> = new Set([
  'message_start',
  'text_delta',
  'message_stop',
  'thinking_start',
  'thinking_delta',
  'thinking_stop',
  'token_usage',
  'cost',
])

/** What a run adds up to, gathered from its events. */
export class RunTotals {
  sessionId: string | null = null
  text = ''
  turnCount = 0
  eventCount = 0
  lastEventType: string | null = null
  /** As the agent reports it. */
  cost: CostRecord | null = null
  /** The last estimate at list prices, and how many of `requests` it counts. */
  estimate: { cost: CostRecord; covers: number } | null = null
  usage: TokenUsage | null = null
  /** As last reported. */
  serviceTier: string | undefined
  readonly usageByModel: Record<string, ModelUsage> = {}
  /**
   * What the agent reported about its tokens, piece by piece: a price depends on the size and the time of each request.
   */
  readonly requests = new RequestLedger()
  /** A replay knows no prices: what it says must not change with them. */
  priceOf: PriceOf = unpriced
  /** Tools that were denied in the current turn: a run that ends so was blocked, whatever its exit code says. */
  deniedTools: string[] = []
  /** What was asked in the current turn and has no answer yet, by its interaction. */
  readonly openQuestions = new Map<string, string>()
  readonly openApprovals = new Map<string, string>()
  /** It has tried again, and has not got on since. */
  retrying: Retrying | null = null
  /** How many events there were that show a whole answer: what was only streamed may be taken back. */
  progress = 0
  #requested = new Map<string, string>()
  /** An agent that reports costs inside a turn may do so before it reports the tokens. */
  #costReportedInTurn = false
  #costBeforeTurn = 0
  #usageBeforeTurn = emptyUsage()
  /** What withdrawn attempts have cost: it was paid for. */
  #earlierCost: CostRecord | null = null
  #costIsReported = false

  count(type: AgentEventType): void {
    this.eventCount += 1
    this.lastEventType = type
    if (NO_PROGRESS.has(type)) return
    this.retrying = null
    if (!STREAMED.has(type)) this.progress += 1
  }

  note(event: AgentEvent): void {
    this.count(event.type)
    switch (event.type) {
      case 'session_start':
      case 'session_resume':
      case 'session_fork':
      case 'session_checkpoint':
        if (event.sessionId !== '') this.sessionId = event.sessionId
        break
      case 'turn_start':
        this.deniedTools = []
        this.#costReportedInTurn = false
        this.openQuestions.clear()
        this.openApprovals.clear()
        this.#costBeforeTurn = this.cost?.totalUsd ?? 0
        this.#usageBeforeTurn = this.usage ?? emptyUsage()
        break
      case 'turn_end':
        this.turnCount += 1
        break
      case 'message_stop':
        this.text = event.text
        break
      case 'approval_request':
        this.#requested.set(event.interactionId, event.toolName ?? event.action)
        this.openApprovals.set(event.interactionId, event.detail || event.action)
        break
      case 'input_required':
        this.openQuestions.set(event.interactionId, event.question)
        break
      case 'approval_granted':
        this.openApprovals.delete(event.interactionId)
        break
      case 'approval_denied':
        this.openApprovals.delete(event.interactionId)
        this.deniedTools.push(this.#requested.get(event.interactionId) ?? event.interactionId)
        break
      case 'token_usage':
        this.usage = addUsage(this.usage ?? emptyUsage(), event)
        this.requests.note(event)
        this.serviceTier = event.serviceTier ?? this.serviceTier
        if (this.#costReportedInTurn) this.requests.cover()
        if (event.model !== undefined) {
          this.usageByModel[event.model] = addModelUsage(this.usageByModel[event.model], event)
        }
        break
      case 'cost':
        this.#noteCost(event.cost)
        break
      case 'retry': {
        const decided = decideFailure({ words: event.reason })
        // An agent that tries again takes it for a limit that passes, unless the provider says that the plan is used up:
        // OpenCode 1.18 tries again for `insufficient_quota`, too.
        const kind = decided === 'quota' && !saysSpent(event.reason) ? 'rate_limit' : decided
        const before = this.retrying?.kind ?? kind
        this.retrying = {
          ...this.retrying,
          kind: kind === 'unknown' ? before : kind,
          reason: event.reason,
          isTryingAgain: true,
          triesAt: event.timestamp + event.delayMs,
          delayIsKnown: event.delayMs > 0,
        }
        break
      }
      case 'rate_limited': {
        const reason = this.retrying?.reason ?? 'rate limited'
        const { timestamp, resetAt, retryAfterMs = resetAt && Math.max(0, resetAt - timestamp) } = event
        this.retrying = { ...this.retrying, kind: 'rate_limit', reason, retryAfterMs }
      }
    }
  }

  #noteCost(cost: CostRecord): void {
    if (cost.source === 'price-table') {
      this.estimate = { cost, covers: this.requests.count }
      return
    }
    this.cost = cost
    this.requests.cover()
    this.#costReportedInTurn = true
    this.#costIsReported = true
  }

  /** Nothing of this attempt counts any more but what it has cost. */
  withdrawAttempt(): void {
    this.text = ''
    this.turnCount = 0
    this.deniedTools = []
    this.retrying = null
    this.openQuestions.clear()
    this.openApprovals.clear()
    this.#requested.clear()
    this.requests.abandon()
    this.#earlierCost = this.cost
    this.#costIsReported = false
    this.#costReportedInTurn = false
  }

  /** The agent that was started again counts from 0; a run counts all attempts. */
  withEarlierAttempts(cost: CostRecord): CostRecord {
    // An estimate of ours counts all of them already.
    return this.#earlierCost === null || cost.source === 'price-table' ? cost : sumOfCosts(this.#earlierCost, cost)
  }

  /** A cost that is reported with the end of the session counts where there was none before. */
  noteFinalCost(cost: CostRecord | undefined): void {
    if (cost === undefined || this.#costIsReported) return
    this.#noteCost(this.withEarlierAttempts(cost))
  }

  /** The cost of the turn that is ending. Null while nothing has reported a cost. */
  turnCost(): CostRecord | null {
    if (!this.cost) return null
    const [now, before] = [this.usage ?? emptyUsage(), this.#usageBeforeTurn]
    return {
      totalUsd: round(this.cost.totalUsd - this.#costBeforeTurn),
      inputTokens: now.inputTokens - before.inputTokens,
      outputTokens: now.outputTokens - before.outputTokens,
      thinkingTokens: now.thinkingTokens - before.thinkingTokens,
      cachedTokens: now.cachedTokens - before.cachedTokens,
      cacheReadTokens: now.cacheReadTokens - before.cacheReadTokens,
      cacheCreationTokens: now.cacheCreationTokens - before.cacheCreationTokens,
      source: this.cost.source,
    }
  }

  /** The model that did most of the spend, by cost where it is known, else by tokens. */
  mainModel(): string | null {
    let best: [string, ModelUsage] | null = null
    for (const entry of Object.entries(this.usageByModel)) {
      if (best === null || weight(entry[1]) > weight(best[1])) best = entry
    }
    return best?.[0] ?? null
  }
}

function sumOfCosts(one: CostRecord, other: CostRecord): CostRecord {
  const sum = (a: number | undefined, b: number | undefined) =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
  return {
    totalUsd: round(one.totalUsd + other.totalUsd),
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    thinkingTokens: sum(one.thinkingTokens, other.thinkingTokens),
    cachedTokens: sum(one.cachedTokens, other.cachedTokens),
    cacheReadTokens: sum(one.cacheReadTokens, other.cacheReadTokens),
    cacheCreationTokens: sum(one.cacheCreationTokens, other.cacheCreationTokens),
    source: other.source ?? one.source,
  }
}

function weight(usage: ModelUsage): number {
  return (usage.costUsd ?? 0) * 1e12 + usage.totalTokens
}

/** Dollar sums are kept to a millionth of a cent: differences of floats would show as 0.0013299999. */
function round(usd: number): number {
  return Math.round(usd * 1e8) / 1e8
}
