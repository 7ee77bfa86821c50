import type { UsageRow } from '../contract/session-store.ts'
import { within } from '../core/within.ts'
import { UsageWatch } from '../engine/usage-watch.ts'
import type { TerminalSpending } from '../mux/terminal-spending.ts'

const LOOK_MS = 50
/** How long a terminal that is held may be looked at once more. */
const LAST_LOOK_MS = 500

/** Counts what a terminal spends as its agent writes it down, and reports when it is too much. */
export class TerminalBudget {
  readonly #spending: TerminalSpending
  readonly #limitUsd: number
  readonly #onOver: () => void
  readonly #watch: UsageWatch
  /** What requests have cost so far, where the agent itself says it. */
  readonly #reported = new Map<string, number>()
  #spentUsd = 0
  #isOver = false

  constructor(spending: TerminalSpending, limitUsd: number, sessionId: string | undefined, onOver: () => void) {
    this.#spending = spending
    this.#limitUsd = limitUsd
    this.#onOver = onOver
    this.#watch = new UsageWatch(spending.source, {
      sessionId: () => sessionId ?? null,
      onUsage: (row, more) => this.#count(row, { ...row, ...more }),
    })
  }

  /** Null while nothing is wrong. */
  get excess(): string | null {
    return this.#isOver ? `$${this.#spentUsd.toFixed(4)} spent of a budget of $${this.#limitUsd}` : null
  }

  /** Before the agent starts: what its session has used until now does not count. */
  begin(earlierSession: string | undefined): Promise<void> {
    return this.#watch.begin(earlierSession, LOOK_MS)
  }

  async lastLook(): Promise<void> {
    await within(LAST_LOOK_MS, this.#watch.catchUp())
  }

  stop(): void {
    this.#watch.stop()
  }

  #count(row: UsageRow, more: UsageRow): void {
    const { key, costUsd } = row
    if (costUsd !== undefined) {
      this.#spentUsd += costUsd - (this.#reported.get(key) ?? 0)
      this.#reported.set(key, costUsd)
    } else this.#spentUsd += this.#spending.priceOf(more) ?? 0
    if (this.#isOver || this.#spentUsd <= this.#limitUsd) return
    this.#isOver = true
    this.#onOver()
  }
}
