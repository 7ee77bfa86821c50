import type { TokenUsageEvent } from '../contract/events.ts'

/** Dollars of a request, by the model of the run where it names none itself; null: nobody knows. */
export type PriceRequest = (request: TokenUsageEvent, model: string | null) => number | null

/** What several requests cost. */
interface Sum {
  usd: number
  /** How many of them have no price, and the model of the first. */
  unpriced: number
  model: string | null
}

const NOTHING: Sum = { usd: 0, unpriced: 0, model: null }

/** Requests that name no model are priced by that of the run, which may change; older ones than these keep their price. */
const MOST_UNNAMED = 1000

/** Requests that are counted together, or not at all. */
class Batch {
  size = 0
  #settled = NOTHING
  #unnamed: TokenUsageEvent[] = []
  /** What those cost by the model that was asked for last, so that each is priced once. */
  #asked: { model: string | null; upTo: number; sum: Sum } = { model: null, upTo: 0, sum: NOTHING }

  add(request: TokenUsageEvent, price: PriceRequest): void {
    const isUnnamed = request.model === undefined && request.costUsd === undefined
    if (isUnnamed) this.#unnamed.push(request)
    else this.#settled = plus(this.#settled, request, null, price)
  }

  cost(model: string | null, price: PriceRequest): Sum {
    if (this.#asked.model !== model) this.#asked = { model, upTo: 0, sum: NOTHING }
    const asked = this.#asked
    for (; asked.upTo < this.#unnamed.length; asked.upTo++) {
      const request = this.#unnamed[asked.upTo]
      if (request) asked.sum = plus(asked.sum, request, model, price)
    }
    const cost = together(this.#settled, asked.sum)
    if (this.#unnamed.length < MOST_UNNAMED) return cost
    this.#settled = cost
    this.#unnamed = []
    this.#asked = { model, upTo: 0, sum: NOTHING }
    return cost
  }
}

/**
 * What the requests of a run cost, each at its own size, time and model. They are added up as they come: a long run
 * makes many thousands, and what they cost is asked for with each.
 */
export class RequestLedger {
  count = 0
  /** Those whose cost the agent has not reported; of all but the last batch it never will. */
  #uncounted = [new Batch()]
  readonly #byModel = new Map<string, Sum>()
  /** Not priced yet: who notes a request knows no prices. */
  #fresh: { request: TokenUsageEvent; batch: Batch }[] = []

  get #open(): Batch {
    return this.#uncounted.at(-1) ?? new Batch()
  }

  note(request: TokenUsageEvent): void {
    const batch = this.#open
    this.count += 1
    batch.size += 1
    this.#fresh.push({ request, batch })
  }

  /** The agent has reported the cost of all up to now. */
  cover(): void {
    if (this.#open.size > 0) this.#uncounted.splice(-1, 1, new Batch())
  }

  /** The attempt was withdrawn: nobody will report the cost of what is not covered yet. */
  abandon(): void {
    if (this.#open.size > 0) this.#uncounted.push(new Batch())
  }

  /** How many no reported cost counts. */
  get uncounted(): number {
    return this.#uncounted.reduce((sum, { size }) => sum + size, 0)
  }

  costOfUncounted(model: string | null, price: PriceRequest): Sum {
    this.#price(price)
    return this.#uncounted.map((batch) => batch.cost(model, price)).reduce(together, NOTHING)
  }

  /** Of all requests that name this model; null as soon as one of them has no price. */
  costOfModel(name: string, price: PriceRequest): number | null {
    this.#price(price)
    const { usd, unpriced } = this.#byModel.get(name) ?? NOTHING
    return unpriced > 0 ? null : usd
  }

  #price(price: PriceRequest): void {
    for (const { request, batch } of this.#fresh) {
      batch.add(request, price)
      const { model } = request
      if (model !== undefined) this.#byModel.set(model, plus(this.#byModel.get(model) ?? NOTHING, request, null, price))
    }
    this.#fresh = []
  }
}

function plus(sum: Sum, request: TokenUsageEvent, model: string | null, price: PriceRequest): Sum {
  const usd = price(request, model)
  if (usd !== null) return { ...sum, usd: sum.usd + usd }
  return together(sum, { usd: 0, unpriced: 1, model: request.model ?? model })
}

function together(a: Sum, b: Sum): Sum {
  return { usd: a.usd + b.usd, unpriced: a.unpriced + b.unpriced, model: a.unpriced > 0 ? a.model : b.model }
}
