import type { CostRecord, TokenUsage } from '../../contract/usage.ts'
import { asNumber, type JsonRecord } from '../../core/json.ts'

type Counts = Pick<
  TokenUsage,
  'inputTokens' | 'outputTokens' | 'thinkingTokens' | 'cachedTokens' | 'cacheReadTokens' | 'cacheCreationTokens'
>

/** One model's counts, as result lines and session files tell them. Input leaves out the cache there. */
export function readModelCounts(native: JsonRecord): Counts {
  const cacheReadTokens = asNumber(native.cacheReadInputTokens) ?? 0
  const cacheCreationTokens = asNumber(native.cacheCreationInputTokens) ?? 0
  return {
    inputTokens: (asNumber(native.inputTokens) ?? 0) + cacheReadTokens + cacheCreationTokens,
    outputTokens: asNumber(native.outputTokens) ?? 0,
    thinkingTokens: asNumber(native.thinkingTokens) ?? 0,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens,
  }
}

export function costRecord(usd: number, { totalTokens: _, ...counts }: TokenUsage): CostRecord {
  return { totalUsd: roundUsd(usd), ...counts, source: 'agent' }
}

/** Sums of floats would show as 0.0039900000000000005. */
function roundUsd(usd: number): number {
  return Math.round(usd * 1e10) / 1e10
}
