import { addUsage, countsSince, emptyUsage, type UsageCounts } from '../core/usage.ts'

type Counts = Pick<UsageCounts, 'inputTokens' | 'outputTokens'> & Partial<UsageCounts>

/**
 * Brings together what an agent reports about its usage and what it has written down in its own store. Both count the
 * same requests, in any order, and neither is complete at all times: what counts is the larger of the two sums.
 */
export class UsageLedger {
  #reported: UsageCounts = emptyUsage()
  #seen: UsageCounts = emptyUsage()
  #counted: UsageCounts = emptyUsage()
  #isReported = false
  #hasSeen = false
  /** The stream has reported what the last turn has used: what the store adds to that later is known already. */
  lastTurnWasReported = false

  /** The stream reports usage while the turn is under way. */
  get isReported(): boolean {
    return this.#isReported
  }

  /** By the agent's stream. Returns what is new of it; null where nothing but the stream counts. */
  report(counts: Counts): UsageCounts | null {
    this.#isReported = true
    this.#reported = addUsage({ ...emptyUsage(), ...this.#reported }, counts)
    const more = this.#count()
    return this.#hasSeen ? more : null
  }

  /** In the agent's store. Returns what is new of it. */
  see(counts: Counts): UsageCounts {
    this.#hasSeen = true
    this.#seen = addUsage({ ...emptyUsage(), ...this.#seen }, counts)
    return this.#count()
  }

  /** A turn is over. */
  settle(): void {
    this.lastTurnWasReported = this.#isReported
    this.#isReported = false
    if (!this.lastTurnWasReported) return
    this.#reported = this.#counted
    this.#seen = this.#counted
  }

  #count(): UsageCounts {
    const now = larger(this.#reported, this.#seen)
    const more = countsSince(now, this.#counted)
    this.#counted = larger(now, this.#counted)
    return more
  }
}

function larger(a: UsageCounts, b: UsageCounts): UsageCounts {
  const of = (name: keyof UsageCounts) => Math.max(a[name], b[name])
  return {
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    thinkingTokens: of('thinkingTokens'),
    cachedTokens: of('cachedTokens'),
    cacheReadTokens: of('cacheReadTokens'),
    cacheCreationTokens: of('cacheCreationTokens'),
  }
}
