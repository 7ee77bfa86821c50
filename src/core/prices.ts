import type { ModelCapabilities } from '../contract/models.ts'
import type { ModelPrice } from '../contract/run-options.ts'
import { findModel } from './price-lookup.ts'
import type { PricedModel, PriceTable, Rate, Rates } from './price-table.ts'

/** Tokens of one request. As in `TokenUsage`, input includes what was read from or written to a cache. */
export interface PricedUsage {
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number
  cacheCreationTokens?: number
  /** How many of `cacheCreationTokens` are kept for an hour, which costs more. */
  cacheCreation1hTokens?: number
  thinkingTokens?: number
}

/**
 * Dollars, or null when nobody knows: unpriced is never 0. `at` is the time of the request; `declared` is what the
 * adapter says of the model's price.
 */
export type PriceOf = (model: string, usage: PricedUsage, at: number, declared?: Rates | null) => number | null

export const unpriced: PriceOf = () => null

/** What to do about a model without a price. */
export const PRICE_HINT =
  'Give it in dollars per million tokens: --price in=3,out=15 (the option `price`), or in prices.json.'

/** The caller's own price for every model, else those of the book. */
export function pricesFor(price: ModelPrice | undefined, book: PriceOf): PriceOf {
  return price ? (_model, usage) => priceAt(price, usage) : book
}

/** The user's prices, then those that an adapter declares, then the list. The list is large and read when asked for. */
export class PriceBook {
  readonly #own: PriceTable | null
  readonly #list: () => PriceTable
  readonly #found = new Map<string, { own: PricedModel | null; list?: PricedModel | null }>()

  constructor(own: PriceTable | null, list: () => PriceTable) {
    this.#own = own
    this.#list = list
  }

  readonly priceOf: PriceOf = (model, usage, at, declared) => {
    const rates = this.ratesOf(model, at, declared)
    return rates && priceAt(rates, usage)
  }

  ratesOf(model: string, at: number, declared?: Rates | null): Rates | null {
    let found = this.#found.get(model)
    if (!found) {
      found = { own: this.#own && findModel(this.#own, model) }
      this.#found.set(model, found)
    }
    if (found.own) return ratesAt(found.own, at)
    if (declared) return declared
    if (found.list === undefined) found.list = findModel(this.#list(), model)
    return found.list && ratesAt(found.list, at)
  }
}

function ratesAt({ periods }: PricedModel, at: number): Rates | null {
  if (periods.length <= 1) return periods[0] ?? null
  const time = new Date(at).toISOString()
  return periods.findLast((period) => applies(period, time.slice(0, 10), time.slice(11, 16))) ?? periods[0] ?? null
}

function applies({ from, hours }: Rates, day: string, time: string): boolean {
  if (from !== undefined && day < from) return false
  if (hours === undefined) return true
  const [start, end] = hours
  return end < start ? time >= start || time < end : time >= start && time < end
}

export function priceAt(rates: Rates, usage: PricedUsage): number {
  const { input, output, cacheRead = input, cacheWrite = input, cacheWrite1h = cacheWrite, reasoning = output } = rates
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheCreationTokens = 0 } = usage
  const hourTokens = Math.min(usage.cacheCreation1hTokens ?? 0, cacheCreationTokens)
  const thinkingTokens = Math.min(usage.thinkingTokens ?? 0, outputTokens)
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheCreationTokens)
  const sum =
    perMillion(input, inputTokens) * fresh +
    perMillion(cacheRead, inputTokens) * cacheReadTokens +
    perMillion(cacheWrite, inputTokens) * (cacheCreationTokens - hourTokens) +
    perMillion(cacheWrite1h, inputTokens) * hourTokens +
    perMillion(reasoning, inputTokens) * thinkingTokens +
    perMillion(output, inputTokens) * (outputTokens - thinkingTokens)
  return sum / 1e6
}

/** A long prompt makes the whole request dearer, not only what is above the limit. */
function perMillion(rate: Rate, inputTokens: number): number {
  return typeof rate === 'number' ? rate : tierOf(rate, inputTokens)
}

function tierOf([base, ...tiers]: Exclude<Rate, number>, inputTokens: number): number {
  return tiers.reduce((price, [above, dearer]) => (inputTokens > above ? dearer : price), base)
}

/** What an adapter itself says of a model's price. */
export function declaredRates(model: ModelCapabilities | undefined): Rates | null {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = model ?? {}
  if (input === undefined || output === undefined) return null
  return {
    input,
    output,
    ...(model?.cachedInputPricePerMillion === undefined ? {} : { cacheRead: model.cachedInputPricePerMillion }),
    ...(model?.thinkingPricePerMillion === undefined ? {} : { reasoning: model.thinkingPricePerMillion }),
  }
}
