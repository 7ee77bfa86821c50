import type { Effect } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { failTurn } from '../core/failures.ts'

/** The caller's limit on cost, kept by us: most agents have none, and those that do check it between turns only. */
export class Budget {
  readonly #limit: number | undefined
  /** Undefined while neither the agent nor the price table tells. */
  readonly #spentUsd: () => number | undefined
  #warned = false

  constructor({ maxCostUsd }: RunOptions, spentUsd: () => number | undefined) {
    this.#limit = maxCostUsd
    this.#spentUsd = spentUsd
  }

  /** The failure to end the run with, once it has cost too much. */
  overrun(): Effect[] | null {
    if (this.#limit === undefined) return null
    const spent = this.#spentUsd()
    if (spent === undefined || spent <= this.#limit) return null
    return failTurn('budget', { message: `$${spent.toFixed(4)} spent of a budget of $${this.#limit}` })
  }

  /** Said once: an unknown cost is not a cost of nothing. */
  unknownCost(): string | null {
    if (this.#limit === undefined || this.#warned || this.#spentUsd() !== undefined) return null
    this.#warned = true
    return `The agent tells no cost, so the budget of $${this.#limit} cannot be enforced`
  }
}
