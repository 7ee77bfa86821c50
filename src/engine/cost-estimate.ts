import type { TokenUsageEvent } from '../contract/events.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { CostRecord, ModelUsage } from '../contract/usage.ts'
import { declaredRates, type PriceOf } from '../core/prices.ts'
import type { RunTotals } from './run-totals.ts'

/** What requests cost, each at its own size, time and model. Null as soon as one of them has no price. */
function priceOfRequests(
  requests: readonly TokenUsageEvent[],
  priceOf: PriceOf,
  models: readonly ModelCapabilities[],
  model: string | null,
): number | null {
  let sum = 0
  for (const request of requests) {
    const price = request.costUsd ?? priceOfRequest(request, priceOf, models, request.model ?? model)
    if (price === null) return null
    sum += price
  }
  return Math.round(sum * 1e8) / 1e8 // sums of floats would show as 0.0013299999
}

function priceOfRequest(
  request: TokenUsageEvent,
  priceOf: PriceOf,
  models: readonly ModelCapabilities[],
  model: string | null,
): number | null {
  if (model === null) return null
  const known = models.find((one) => one.modelId === model || one.modelAlias === model)
  const { inputTokens, outputTokens, thinkingTokens, cacheCreationTokens, timestamp } = request
  const cacheReadTokens = request.cacheReadTokens ?? request.cachedTokens
  const usage = { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens }
  // An alias such as "opus" has no list price; the model behind it has.
  return priceOf(known?.modelId ?? model, usage, timestamp, declaredRates(known))
}

/** What the agent says the run cost; else what its tokens cost by the price table; else null. */
export function costOf(
  totals: RunTotals,
  models: readonly ModelCapabilities[],
  model: string | null,
): CostRecord | null {
  const { cost, usage, requests, priceOf } = totals
  if (cost || !usage) return cost
  const totalUsd = priceOfRequests(requests, priceOf, models, model)
  if (totalUsd === null) return null
  const { inputTokens, outputTokens, thinkingTokens, cachedTokens, cacheReadTokens, cacheCreationTokens } = usage
  return {
    ...{ totalUsd, inputTokens, outputTokens, thinkingTokens, cachedTokens, cacheReadTokens, cacheCreationTokens },
    source: 'price-table',
  }
}

/** The usage of each model with its cost, where the agent has told none, by the price table. */
export function pricedByModel(
  { usageByModel, requests, priceOf }: RunTotals,
  models: readonly ModelCapabilities[],
): Record<string, ModelUsage> {
  return Object.fromEntries(
    Object.entries(usageByModel).map(([name, usage]) => {
      const own = requests.filter(({ model }) => model === name)
      return [name, { ...usage, costUsd: usage.costUsd ?? priceOfRequests(own, priceOf, models, name) }]
    }),
  )
}
