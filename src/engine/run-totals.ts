import type { AgentEvent, AgentEventType, TokenUsageEvent } from '../contract/events.ts'
import type { CostRecord, ModelUsage, TokenUsage } from '../contract/usage.ts'
import { classifyFailure, type FailureKind } from '../core/failures.ts'
import { type PriceOf, unpriced } from '../core/prices.ts'
import { addModelUsage, addUsage, emptyUsage } from '../core/usage.ts'

/** Why the agent tries again. */
export interface Retrying {
  kind: FailureKind
  reason: string
  retryAfterMs?: number
}

/** These say nothing about whether the agent gets on. */
const NO_PROGRESS: ReadonlySet<AgentEventType> = new Set([
  'debug',
  'log',
  'retry',
  'rate_limited',
  'session_checkpoint',
])

/** What a run adds up to, gathered from its events. */
export class RunTotals {
  sessionId: string | null = null
  text = ''
  turnCount = 0
  eventCount = 0
  lastEventType: string | null = null
  cost: CostRecord | null = null
  usage: TokenUsage | null = null
  readonly usageByModel: Record<string, ModelUsage> = {}
  /** What the agent told of its tokens, piece by piece: a price depends on the size and the time of each request. */
  readonly requests: TokenUsageEvent[] = []
  /** A replay knows no prices: what it says must not change with them. */
  priceOf: PriceOf = unpriced
  /** Tools that were denied in the current turn: a run that ends so was blocked, whatever its exit code says. */
  deniedTools: string[] = []
  /** It has tried again, and has not got on since. */
  retrying: Retrying | null = null
  #requested = new Map<string, string>()
  #costBeforeTurn = 0
  #usageBeforeTurn = emptyUsage()

  count(type: AgentEventType): void {
    this.eventCount += 1
    this.lastEventType = type
    if (this.retrying !== null && !NO_PROGRESS.has(type)) this.retrying = null
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
        break
      case 'approval_denied':
        this.deniedTools.push(this.#requested.get(event.interactionId) ?? event.interactionId)
        break
      case 'token_usage':
        this.usage = addUsage(this.usage ?? emptyUsage(), event)
        this.requests.push(event)
        if (event.model !== undefined) {
          this.usageByModel[event.model] = addModelUsage(this.usageByModel[event.model], event)
        }
        break
      case 'cost':
        this.cost = event.cost
        break
      case 'retry': {
        const told = classifyFailure(event.reason)
        // Nobody tries again for a plan that is used up: it is a limit that passes, whatever it is called.
        const kind = told === 'quota' ? 'rate_limit' : told
        const before = this.retrying?.kind ?? kind
        this.retrying = { ...this.retrying, kind: kind === 'unknown' ? before : kind, reason: event.reason }
        break
      }
      case 'rate_limited': {
        const reason = this.retrying?.reason ?? 'rate limited'
        this.retrying = { kind: 'rate_limit', reason, retryAfterMs: event.retryAfterMs }
      }
    }
  }

  /** The cost of the turn that is ending. Null while nothing has told a cost. */
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

function weight(usage: ModelUsage): number {
  return (usage.costUsd ?? 0) * 1e12 + usage.totalTokens
}

/** Dollar sums are kept to a millionth of a cent: differences of floats would show as 0.0013299999. */
function round(usd: number): number {
  return Math.round(usd * 1e8) / 1e8
}
