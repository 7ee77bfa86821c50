/**
 * One definition for every agent: `inputTokens` counts all prompt tokens, those read from or written to a cache
 * included; the cache fields say how many of them. `totalTokens` is input plus output; `thinkingTokens` is a part
 * of output where the agent reports it.
 */
export interface TokenUsage {
  inputTokens: number
  outputTokens: number
  thinkingTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  /** The documented older name: always equal to `cacheReadTokens`. */
  cachedTokens: number
  totalTokens: number
}

/** What something has cost, and who says so. */
export interface CostRecord {
  totalUsd: number
  inputTokens: number
  outputTokens: number
  thinkingTokens?: number
  cachedTokens?: number
  cacheReadTokens?: number
  cacheCreationTokens?: number
  /** `agent`: the CLI said so. `price-table`: our estimate from list prices. */
  source?: 'agent' | 'price-table'
}

/** Who says what it cost: the agent (`reported`), list prices, at least for a part (`estimated`), or nobody. */
export type CostSource = 'reported' | 'estimated' | 'unpriced'

/** Tokens and cost of one model. */
export interface ModelUsage extends TokenUsage {
  /** null when neither the agent nor the price table knows: unknown is never shown as 0. */
  costUsd: number | null
}
