import type { TokenUsageEvent } from '../contract/events.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { CostRecord, ModelUsage } from '../contract/usage.ts'
import { declaredRates, type PricedUsage, type PriceOf } from '../core/prices.ts'
import { roundUsd } from '../core/usage.ts'
import type { PriceRequest } from './request-ledger.ts'
import type { RunTotals } from './run-totals.ts'

/** The price of one request, as its agent reports it or else by the table. */
function pricing(priceOf: PriceOf, models: readonly ModelCapabilities[]): PriceRequest {
  return (request, model) => request.costUsd ?? priceOfRequest(request, priceOf, models, request.model ?? model)
}

function priceOfRequest(
  request: TokenUsageEvent,
  priceOf: PriceOf,
  models: readonly ModelCapabilities[],
  model: string | null,
): number | null {
  const { inputTokens, outputTokens, thinkingTokens, cacheCreationTokens, timestamp } = request
  const cacheReadTokens = request.cacheReadTokens ?? request.cachedTokens
  const usage = { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens }
  return priceOfModel(model, priceOf, models, timestamp, usage)
}

/** Null when the model has no price. An alias such as "opus" has none in the list; the model behind it has. */
export function priceOfModel(
  model: string | null,
  priceOf: PriceOf,
  models: readonly ModelCapabilities[],
  at: number,
  usage: PricedUsage = { inputTokens: 0, outputTokens: 0 },
): number | null {
  const known = models.find((one) => one.modelId === model || one.modelAlias === model)
  // The caller's own price is for whatever model it is.
  return priceOf(known?.modelId ?? model ?? '', usage, at, declaredRates(known))
}

/**
 * What the run has cost so far: what the agent reports, and what it has not counted there yet by the price table. Null as
 * soon as one request has no price.
 */
export function costOf(
  totals: RunTotals,
  models: readonly ModelCapabilities[],
  model: string | null,
): CostRecord | null {
  const { cost, usage, requests, priceOf, estimate } = totals
  if (cost && requests.uncounted === 0) return cost
  if (!usage) return estimate?.cost ?? null
  const more = requests.costOfUncounted(model, pricing(priceOf, models))
  // A replay has no prices, but the estimates of the run.
  if (more.unpriced > 0) return estimate?.covers === requests.count ? estimate.cost : null
  const { inputTokens, outputTokens, thinkingTokens, cachedTokens, cacheReadTokens, cacheCreationTokens } = usage
  return {
    totalUsd: roundUsd((cost?.totalUsd ?? 0) + more.usd),
    ...{ inputTokens, outputTokens, thinkingTokens, cachedTokens, cacheReadTokens, cacheCreationTokens },
    source: 'price-table',
  }
}

/** The dollars that are known to be spent, whatever else may be. */
export function spentAtLeast(totals: RunTotals, models: readonly ModelCapabilities[], model: string | null): number {
  const { cost, requests, priceOf } = totals
  return (cost?.totalUsd ?? 0) + requests.costOfUncounted(model, pricing(priceOf, models)).usd
}

/** The first request that has used something nobody knows the price of. */
export function unpricedRequest(
  totals: RunTotals,
  models: readonly ModelCapabilities[],
  model: string | null,
): { model: string | null; count: number } | null {
  const found = totals.requests.costOfUncounted(model, pricing(totals.priceOf, models))
  return found.unpriced > 0 ? { model: found.model, count: found.unpriced } : null
}

/** The usage of each model with its cost, where the agent has reported none, by the price table. */
export function pricedByModel(
  { usageByModel, requests, priceOf }: RunTotals,
  models: readonly ModelCapabilities[],
): Record<string, ModelUsage> {
  return Object.fromEntries(
    Object.entries(usageByModel).map(([name, usage]) => {
      const price = requests.costOfModel(name, pricing(priceOf, models))
      return [name, { ...usage, costUsd: usage.costUsd ?? (price === null ? null : roundUsd(price)) }]
    }),
  )
}
