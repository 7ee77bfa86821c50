import type { Effect } from '../../contract/dialogue.ts'
import type { CostRecord, TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, type JsonRecord } from '../json.ts'
import { addUsage, emptyUsage, type UsageCounts } from '../usage.ts'

/** What the steps of a run have used so far. */
export interface RunUsage {
  tokens: TokenUsage
  costUsd: number
}

export function createUsage(): RunUsage {
  return { tokens: emptyUsage(), costUsd: 0 }
}

/** `input` is told without what came from the cache, `output` without the thinking. */
export function readTokens(tokens: JsonRecord): UsageCounts {
  const cache = asRecord(tokens.cache) ?? {}
  const cacheReadTokens = asNumber(cache.read) ?? 0
  const cacheCreationTokens = asNumber(cache.write) ?? 0
  const thinkingTokens = asNumber(tokens.reasoning) ?? 0
  return {
    inputTokens: (asNumber(tokens.input) ?? 0) + cacheReadTokens + cacheCreationTokens,
    outputTokens: (asNumber(tokens.output) ?? 0) + thinkingTokens,
    thinkingTokens,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens,
  }
}

/** Of a model without a known price the agent says 0, which is not the same as free of charge: then nothing is told. */
export function costRecord({ tokens, costUsd }: RunUsage): CostRecord | undefined {
  if (costUsd <= 0) return undefined
  const { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens } = tokens
  return {
    totalUsd: costUsd,
    inputTokens,
    outputTokens,
    thinkingTokens,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens,
    source: 'agent',
  }
}

/** The end of a step tells what that step has used. */
export function stepUsage(usage: RunUsage, part: JsonRecord, model: string | undefined): Effect[] {
  const tokens = asRecord(part.tokens)
  if (!tokens) return []
  const counts = readTokens(tokens)
  const costUsd = asNumber(part.cost) ?? 0
  usage.tokens = addUsage(usage.tokens, counts)
  usage.costUsd += costUsd
  const priced = costUsd > 0 ? { costUsd } : {}
  const effects: Effect[] = [{ emit: { type: 'token_usage', ...counts, model, ...priced } }]
  const cost = costRecord(usage)
  if (cost) effects.push({ emit: { type: 'cost', cost } })
  return effects
}
