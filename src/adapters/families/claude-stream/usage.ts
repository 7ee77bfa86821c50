import type { Effect } from '../../../contract/dialogue.ts'
import type { CostRecord, TokenUsage } from '../../../contract/usage.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import { addUsage, countsSince, grossCounts, netCounts, roundUsd, type UsageCounts } from '../../../core/usage.ts'
import { continuesSession } from '../../kit/continues-session.ts'
import { isEmpty, replyCounts, reportedByReplies, serviceTierOf } from './reply-usage.ts'
import type { DialogueState } from './state.ts'

const COUNTERS = [
  'inputTokens',
  'outputTokens',
  'thinkingTokens',
  'cacheReadInputTokens',
  'cacheCreationInputTokens',
  'costUSD',
]

function difference(now: JsonRecord, before: JsonRecord): JsonRecord {
  const parts = COUNTERS.map((name) => [name, (asNumber(now[name]) ?? 0) - (asNumber(before[name]) ?? 0)])
  return { ...now, ...Object.fromEntries(parts) }
}

/**
 * What each model used in this turn. `modelUsage` and `total_cost_usd` count from the start of the session, earlier
 * processes included; older versions have nothing else, and then only a new session can be distinguished.
 */
function turnUsage(state: DialogueState, record: JsonRecord): JsonRecord {
  const turn = asRecord(record.model_usage_since_last_result)
  if (turn) return turn
  const totals = asRecord(record.modelUsage) ?? {}
  if (Object.keys(totals).length === 0) return { [state.model]: plainUsage(state, record) }
  const before = state.modelTotals ?? (continuesSession(state.options) ? totals : {})
  state.modelTotals = totals
  const models = Object.entries(totals).map(([model, usage]) => [
    model,
    difference(asRecord(usage) ?? {}, asRecord(before[model]) ?? {}),
  ])
  return Object.fromEntries(models)
}

/** Without counts by model: those of the turn. Only its cost counts from the start of the session. */
function plainUsage(state: DialogueState, record: JsonRecord): JsonRecord {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
    asRecord(record.usage) ?? {}
  const total = asNumber(record.total_cost_usd)
  const before = state.totalCostUsd ?? (continuesSession(state.options) ? total : 0)
  state.totalCostUsd = total ?? null
  return {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cacheReadInputTokens: cache_read_input_tokens,
    cacheCreationInputTokens: cache_creation_input_tokens,
    costUSD: total === undefined || before === undefined ? undefined : total - before,
  }
}

/** The counts of a `result` record, without those that its replies have reported already. */
export function resultUsage(state: DialogueState, record: JsonRecord): Effect[] {
  const effects: Effect[] = []
  const models = Object.entries(turnUsage(state, record))
  const serviceTier = serviceTierOf(record.usage)
  const reported = reportedByReplies(state, new Set(models.map(([model]) => model)))
  for (const [model, value] of models) {
    const usage = asRecord(value) ?? {}
    const counts = readModelCounts(usage)
    if (counts.inputTokens + counts.outputTokens === 0) continue
    // For a model it does not know the CLI charges the price of another.
    const costUsd = usage.costBasis === 'unknown' ? undefined : asNumber(usage.costUSD)
    const more = reported.take(model, counts)
    state.usage = addUsage(state.usage, more)
    if (costUsd !== undefined) state.costUsd = (state.costUsd ?? 0) + costUsd
    if (costUsd === undefined && isEmpty(more)) continue
    effects.push({ emit: { type: 'token_usage', ...more, model: model || undefined, costUsd, serviceTier } })
  }
  if (state.costUsd === null) return effects
  // First: a cost below stands for replies, too, that were estimated when they came. A budget would count them twice.
  return [{ emit: { type: 'cost', cost: costRecord(state.costUsd, state.usage) } }, ...effects]
}

/** The counts of one reply, with its last block. Here input counts the cache too. */
export function messageUsage(state: DialogueState, message: JsonRecord): Effect[] {
  const counts = grossCounts(replyCounts(asRecord(message.usage) ?? {}))
  if (counts.inputTokens + counts.outputTokens === 0) return NO_EFFECTS
  state.usage = addUsage(state.usage, counts)
  const serviceTier = serviceTierOf(message.usage)
  return [{ emit: { type: 'token_usage', ...counts, model: asString(message.model), serviceTier } }]
}

/**
 * The usage of requests that no message reported. The sum counts from the start of the session, earlier processes
 * included: what they used is known after the first turn only, so in that one only requests that must be there are
 * looked for.
 */
export function unreportedUsage(state: DialogueState, record: JsonRecord): Effect[] {
  const native = asRecord(record.usage)
  if (!native) return NO_EFFECTS
  const counts = grossCounts(replyCounts(native))
  const before = state.sessionTotals
  const isKnown = before !== null || (state.hasUnreportedRequests && !continuesSession(state.options))
  state.sessionTotals = { counts, reported: state.usage }
  if (!isKnown) return NO_EFFECTS
  const ofTurn = before ? countsSince(counts, before.counts) : counts
  const more = countsSince(ofTurn, before ? countsSince(state.usage, before.reported) : state.usage)
  if (more.inputTokens + more.outputTokens === 0) return NO_EFFECTS
  state.usage = addUsage(state.usage, more)
  state.sessionTotals = { counts, reported: state.usage }
  const serviceTier = serviceTierOf(native)
  return [{ emit: { type: 'token_usage', ...more, model: state.model || undefined, serviceTier } }]
}

/** One model's counts, as result lines and session files have them. Input leaves out the cache there. */
export function readModelCounts(native: JsonRecord): UsageCounts {
  return netCounts({
    input: native.inputTokens,
    output: native.outputTokens,
    thinking: native.thinkingTokens,
    cacheRead: native.cacheReadInputTokens,
    cacheCreation: native.cacheCreationInputTokens,
  })
}

export function costRecord(usd: number, { totalTokens: _, ...counts }: TokenUsage): CostRecord {
  return { totalUsd: roundUsd(usd), ...counts, source: 'agent' }
}
