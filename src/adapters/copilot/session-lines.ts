import { asNumber, type JsonRecord } from '../../core/json.ts'
import type { UsageCounts } from '../../core/usage.ts'

/** The counts of one call of the model. What it costs is told in requests of a subscription, not in dollars. */
export function readUsage(usage: JsonRecord): UsageCounts {
  const cacheReadTokens = asNumber(usage.cacheReadTokens) ?? 0
  return {
    inputTokens: asNumber(usage.inputTokens) ?? 0,
    outputTokens: asNumber(usage.outputTokens) ?? 0,
    thinkingTokens: asNumber(usage.reasoningTokens) ?? 0,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens: asNumber(usage.cacheWriteTokens) ?? 0,
  }
}
