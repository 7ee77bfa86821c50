import { addUsage, countsSince, emptyUsage, type UsageCounts } from '../core/usage.ts'

type Counts = Pick<UsageCounts, 'inputTokens' | 'outputTokens'> & Partial<UsageCounts>

/**
 * Brings together what an agent tells of its usage and what it has written down in its own store. Both count the same
 * requests, in any order, and neither is complete at all times: what counts is the larger of the two sums.
 */
export class UsageLedger {
  #told: UsageCounts = emptyUsage()
  #seen: UsageCounts = emptyUsage()
  #counted: UsageCounts = emptyUsage()
  #isTold = false
  #hasSeen = false
  /** The stream has told what the last turn has used: what the store adds to that later is known already. */
  lastTurnWasTold = false

  /** The stream tells usage while the turn is under way. */
  get isTold(): boolean {
    return this.#isTold
  }

  /** By the agent's stream. Returns what is new of it; null where nothing but the stream counts. */
  tell(counts: Counts): UsageCounts | null {
    this.#isTold = true
    this.#told = addUsage({ ...emptyUsage(), ...this.#told }, counts)
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
    this.lastTurnWasTold = this.#isTold
    this.#isTold = false
    if (!this.lastTurnWasTold) return
    this.#told = this.#counted
    this.#seen = this.#counted
  }

  #count(): UsageCounts {
    const now = larger(this.#told, this.#seen)
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
