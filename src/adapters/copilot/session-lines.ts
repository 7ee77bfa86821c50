import type { JsonRecord } from '../../core/json.ts'
import type { UsageCounts } from '../../core/usage.ts'
import { grossCounts } from '../../core/usage.ts'

/** The counts of one call of the model. What it costs is reported in requests of a subscription, not in dollars. */
export function readUsage(usage: JsonRecord): UsageCounts {
  const { inputTokens: input, outputTokens: output, reasoningTokens: thinking } = usage
  const { cacheReadTokens: cacheRead, cacheWriteTokens: cacheCreation } = usage
  return grossCounts({ input, output, thinking, cacheRead, cacheCreation })
}
