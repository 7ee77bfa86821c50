import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import { addUsage, netCounts, roundUsd, type UsageCounts } from '../../../core/usage.ts'
import type { DialogueState } from './state.ts'

/** Input leaves out the cache here. Reasoning is part of the output; the two agents name it differently. */
export function readCounts(native: JsonRecord): UsageCounts {
  const thinking = native.reasoning ?? native.reasoningTokens
  const { input, output, cacheRead, cacheWrite: cacheCreation } = native
  return netCounts({ input, output, thinking, cacheRead, cacheCreation })
}

/** In dollars. A model without a price costs 0 for the CLI, which is not known rather than nothing. */
export function readCost(native: JsonRecord): number | undefined {
  return asNumber(asRecord(native.cost)?.total) || undefined
}

/** The counts of one reply, or of a summary that the CLI had made. */
export function usageEffects(state: DialogueState, value: unknown, model: unknown): Effect[] {
  const native = asRecord(value)
  if (!native) return NO_EFFECTS
  const counts = readCounts(native)
  if (counts.inputTokens + counts.outputTokens === 0) return NO_EFFECTS
  const costUsd = readCost(native)
  state.usage = addUsage(state.usage, counts)
  const effects: Effect[] = [{ emit: { type: 'token_usage', ...counts, model: asString(model), costUsd } }]
  if (costUsd === undefined) return effects
  state.costUsd = roundUsd(state.costUsd + costUsd)
  const { totalTokens: _, ...total } = state.usage
  effects.push({ emit: { type: 'cost', cost: { totalUsd: state.costUsd, ...total, source: 'agent' } } })
  return effects
}
