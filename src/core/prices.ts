import type { ModelCapabilities } from '../contract/models.ts'
import type { CostRecord, TokenUsage } from '../contract/usage.ts'

/** Cost at list prices, or null when a price is not known: unpriced is never 0. */
export function estimateCost(model: ModelCapabilities | undefined, usage: TokenUsage): CostRecord | null {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = model ?? {}
  if (input === undefined || output === undefined) return null
  const cached = model?.cachedInputPricePerMillion ?? input
  const fresh = usage.inputTokens - usage.cacheReadTokens
  return {
    totalUsd: (fresh * input + usage.cacheReadTokens * cached + usage.outputTokens * output) / 1e6,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    thinkingTokens: usage.thinkingTokens,
    cachedTokens: usage.cachedTokens,
    cacheReadTokens: usage.cacheReadTokens,
    cacheCreationTokens: usage.cacheCreationTokens,
    source: 'price-table',
  }
}
