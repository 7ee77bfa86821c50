import type { Effect } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { failTurn } from '../core/failures.ts'
import { PRICE_HINT } from '../core/prices.ts'

export interface LimitSources {
  /** The dollars that are known to be spent, even while others are not known. */
  spentUsd: () => number
  /** Whether anything was heard of what the run has used or cost. */
  isCounted: () => boolean
  /** How many requests have no price, and the model of the first of them. */
  unpriced: () => { model: string | null; count: number } | null
  /** The model that the agent says it uses, when it has no price. */
  unpricedModel: () => string | null
  /** The agent itself reports what each request costs, a moment after its tokens at the latest. */
  reportsCost: () => boolean
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

  /** The failure to end the run with, once it has cost too much, or once nobody knows any more what it costs. */
  overspent(): Effect[] | null {
    if (this.#maxCostUsd === undefined) return null
    const spent = this.#sources.spentUsd()
    if (spent > this.#maxCostUsd) {
      return failTurn('budget', { message: `$${spent.toFixed(4)} spent of a budget of $${this.#maxCostUsd}` })
    }
    const unpriced = this.#sources.unpriced()
    // The cost that the agent reports may come after the tokens it is for, but not after those of the next request.
    if (!unpriced || (this.#sources.reportsCost() && unpriced.count < 2)) return null
    return this.#withoutPrice(unpriced.model)
  }

  /** The same before anything is spent, where the agent chose the model and has named it. */
  withoutPrice(): Effect[] | null {
    if (this.#maxCostUsd === undefined || this.#sources.reportsCost()) return null
    const model = this.#sources.unpricedModel()
    return model === null ? null : this.#withoutPrice(model)
  }

  #withoutPrice(model: string | null): Effect[] {
    const what = model === null ? 'a model that the agent does not name' : `the model "${model}"`
    const message = `The price of ${what} is not known, so the budget of $${this.#maxCostUsd} cannot be kept. ${PRICE_HINT}`
    return failTurn('price', { message })
  }

  /** The failure to end the turn with, when this request of it is one too many. */
  turnTooMany(requests: number): Effect[] | null {
    const maxTurns = this.#maxTurns
    if (maxTurns === undefined || requests <= maxTurns || this.#sources.countsTurns()) return null
    return failTurn('turn_limit', { message: `limit of ${maxTurns} turns`, maxTurns })
  }

  /** Said once, after a turn: an unknown cost is not a cost of nothing. */
  unknownCost(): string | null {
    if (this.#maxCostUsd === undefined || this.#warned || this.#sources.isCounted()) return null
    this.#warned = true
    return `The agent has reported no usage, so the budget of $${this.#maxCostUsd} was not kept`
  }
}
