import type { Effect } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { failTurn } from '../core/failures.ts'

export interface LimitSources {
  /** Undefined while neither the agent nor the price table tells. */
  spentUsd: () => number | undefined
  /** The agent keeps `maxTurns` itself. */
  countsTurns: () => boolean
}

/** The caller's limits, kept by us: most agents have none, and those that do check theirs between turns only. */
export class Limits {
  readonly #maxCostUsd: number | undefined
  readonly #maxTurns: number | undefined
  readonly #sources: LimitSources
  #warned = false

  constructor({ maxCostUsd, maxTurns }: RunOptions, sources: LimitSources) {
    this.#maxCostUsd = maxCostUsd
    this.#maxTurns = maxTurns
    this.#sources = sources
  }

  /** The failure to end the run with, once it has cost too much. */
  overspent(): Effect[] | null {
    if (this.#maxCostUsd === undefined) return null
    const spent = this.#sources.spentUsd()
    if (spent === undefined || spent <= this.#maxCostUsd) return null
    return failTurn('budget', { message: `$${spent.toFixed(4)} spent of a budget of $${this.#maxCostUsd}` })
  }

  /** The failure to end the run with, when this turn (counted from 0) is one too many. */
  turnTooMany(index: number): Effect[] | null {
    const maxTurns = this.#maxTurns
    if (maxTurns === undefined || index < maxTurns || this.#sources.countsTurns()) return null
    return failTurn('turn_limit', { message: `limit of ${maxTurns} turns`, maxTurns })
  }

  /** Said once: an unknown cost is not a cost of nothing. */
  unknownCost(): string | null {
    if (this.#maxCostUsd === undefined || this.#warned || this.#sources.spentUsd() !== undefined) return null
    this.#warned = true
    return `The agent tells no cost, so the budget of $${this.#maxCostUsd} cannot be enforced`
  }
}
