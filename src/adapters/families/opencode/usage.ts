import type { Effect } from '../../../contract/dialogue.ts'
import type { CostRecord, TokenUsage } from '../../../contract/usage.ts'
import { asNumber, asRecord, type JsonRecord } from '../../../core/json.ts'
import { addUsage, emptyUsage, netCounts, roundUsd, type UsageCounts } from '../../../core/usage.ts'

/** What the steps of a run have used so far. */
export interface RunUsage {
  tokens: TokenUsage
  costUsd: number
}

export function createUsage(): RunUsage {
  return { tokens: emptyUsage(), costUsd: 0 }
}

/** `input` is reported without what came from the cache, `output` without the thinking. */
export function readTokens({ input, output, reasoning, cache }: JsonRecord): UsageCounts {
  const { read: cacheRead, write: cacheCreation } = asRecord(cache) ?? {}
  const counts = netCounts({ input, output, thinking: reasoning, cacheRead, cacheCreation })
  return { ...counts, outputTokens: counts.outputTokens + counts.thinkingTokens }
}

/**
 * For a model without a known price the agent says 0, which does not mean free: then nothing is reported.
 */
export function costRecord({ tokens, costUsd }: RunUsage): CostRecord | undefined {
  if (costUsd <= 0) return undefined
  const { totalTokens: _, ...counts } = tokens
  return { totalUsd: costUsd, ...counts, source: 'agent' }
}

/** The end of a step reports what that step has used. */
/** One request to the model, with the calls of tools that it asks for. */
export const stepStart = (): Effect => ({ emit: { type: 'step_start', stepType: 'generation' } })
export const stepEnd = (): Effect => ({ emit: { type: 'step_end' } })

export function stepUsage(usage: RunUsage, part: JsonRecord, model: string | undefined): Effect[] {
  const tokens = asRecord(part.tokens)
  if (!tokens) return []
  const counts = readTokens(tokens)
  const costUsd = asNumber(part.cost) ?? 0
  usage.tokens = addUsage(usage.tokens, counts)
  usage.costUsd = roundUsd(usage.costUsd + costUsd)
  const priced = costUsd > 0 ? { costUsd } : {}
  const effects: Effect[] = [{ emit: { type: 'token_usage', ...counts, model, ...priced } }]
  const cost = costRecord(usage)
  if (cost) effects.push({ emit: { type: 'cost', cost } })
  return effects
}
