import type { TokenUsageEvent } from '../contract/events.ts'
import type { CostRecord, ModelUsage, TokenUsage } from '../contract/usage.ts'
import { asNumber, asRecord, isRecord, type JsonRecord } from './json.ts'

export function emptyUsage(): TokenUsage {
  return {
    inputTokens: 0,
    outputTokens: 0,
    thinkingTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    cachedTokens: 0,
    totalTokens: 0,
  }
}

/** Counts of one reply, request or turn; input includes what came from the cache. */
export type UsageCounts = Omit<TokenUsage, 'totalTokens'>

type UsageFields = Pick<
  TokenUsageEvent,
  'inputTokens' | 'outputTokens' | 'thinkingTokens' | 'cachedTokens' | 'cacheReadTokens' | 'cacheCreationTokens'
>

export function addUsage(total: TokenUsage, part: UsageFields): TokenUsage {
  const cacheRead = total.cacheReadTokens + (part.cacheReadTokens ?? part.cachedTokens ?? 0)
  const input = total.inputTokens + part.inputTokens
  const output = total.outputTokens + part.outputTokens
  return {
    inputTokens: input,
    outputTokens: output,
    thinkingTokens: total.thinkingTokens + (part.thinkingTokens ?? 0),
    cacheReadTokens: cacheRead,
    cacheCreationTokens: total.cacheCreationTokens + (part.cacheCreationTokens ?? 0),
    cachedTokens: cacheRead,
    totalTokens: input + output,
  }
}

/** What an agent says of tokens, as it says it: what is not a number counts for nothing. */
interface NativeCounts {
  input: unknown
  output: unknown
  thinking?: unknown
  cacheRead?: unknown
  cacheCreation?: unknown
}

/** The counts of an agent whose input includes what came from the cache. */
export function grossCounts({ input, output, thinking, cacheRead, cacheCreation }: NativeCounts): UsageCounts {
  const cacheReadTokens = asNumber(cacheRead) ?? 0
  return {
    inputTokens: asNumber(input) ?? 0,
    outputTokens: asNumber(output) ?? 0,
    thinkingTokens: asNumber(thinking) ?? 0,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens: asNumber(cacheCreation) ?? 0,
  }
}

/** The counts of an agent whose input leaves out what came from the cache. */
export function netCounts(native: NativeCounts): UsageCounts {
  const counts = grossCounts(native)
  return { ...counts, inputTokens: counts.inputTokens + counts.cacheReadTokens + counts.cacheCreationTokens }
}

/** By how much each count has grown. */
export function countsSince(now: UsageCounts, before: UsageCounts): UsageCounts {
  const grown = (name: keyof UsageCounts): number => Math.max(0, now[name] - before[name])
  return {
    inputTokens: grown('inputTokens'),
    outputTokens: grown('outputTokens'),
    thinkingTokens: grown('thinkingTokens'),
    cachedTokens: grown('cachedTokens'),
    cacheReadTokens: grown('cacheReadTokens'),
    cacheCreationTokens: grown('cacheCreationTokens'),
  }
}

export function withTotal(counts: UsageCounts): TokenUsage {
  return addUsage(emptyUsage(), counts)
}

export function addModelUsage(total: ModelUsage | undefined, part: UsageFields & { costUsd?: number }): ModelUsage {
  const base = total ?? { ...emptyUsage(), costUsd: null }
  const costUsd = part.costUsd === undefined ? base.costUsd : (base.costUsd ?? 0) + part.costUsd
  return { ...addUsage(base, part), costUsd }
}

/** Sums of floats would show as 0.0039900000000000005. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e10) / 1e10
}

function firstNumber(record: JsonRecord, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = asNumber(record[name])
    if (value !== undefined) return value
  }
  return undefined
}

const COST = ['totalUsd', 'total_cost_usd', 'totalCostUsd', 'costUsd', 'cost_usd', 'total_cost', 'cost']
const INPUT = ['inputTokens', 'input_tokens', 'prompt_tokens', 'promptTokens', 'promptTokenCount']
const OUTPUT = ['outputTokens', 'output_tokens', 'completion_tokens', 'completionTokens', 'candidatesTokenCount']
const THINKING = [
  'thinkingTokens',
  'thinking_tokens',
  'reasoning_tokens',
  'reasoning_output_tokens',
  'thoughtsTokenCount',
]
const CACHE_READ = [
  'cacheReadTokens',
  'cachedTokens',
  'cache_read_input_tokens',
  'cached_input_tokens',
  'cached_tokens',
]
const CACHE_WRITE = ['cacheCreationTokens', 'cache_creation_input_tokens', 'cache_write_input_tokens']

/** Reads the spellings of usage and cost that agents use. Null when the value holds neither. */
export function readCostRecord(raw: unknown): CostRecord | null {
  if (!isRecord(raw)) return null
  const usage = asRecord(raw.usage) ?? asRecord(raw.tokens) ?? raw
  const totalUsd = firstNumber(raw, COST)
  const input = firstNumber(usage, INPUT)
  const output = firstNumber(usage, OUTPUT)
  if (totalUsd === undefined && input === undefined && output === undefined) return null
  const cacheRead = firstNumber(usage, CACHE_READ)
  return {
    totalUsd: totalUsd ?? 0,
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    thinkingTokens: firstNumber(usage, THINKING),
    cachedTokens: cacheRead,
    cacheReadTokens: cacheRead,
    cacheCreationTokens: firstNumber(usage, CACHE_WRITE),
  }
}
