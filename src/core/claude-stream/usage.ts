import type { Effect } from '../../contract/dialogue.ts'
import type { CostRecord, TokenUsage } from '../../contract/usage.ts'
import { continuesSession } from '../continues-session.ts'
import { NO_EFFECTS } from '../effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../json.ts'
import { addUsage, countsSince, grossCounts, netCounts, roundUsd, type UsageCounts } from '../usage.ts'
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
 * processes included; older versions have nothing else, and then only a new session can be told apart.
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

/** The counts of a `result` record. */
export function resultUsage(state: DialogueState, record: JsonRecord): Effect[] {
  const effects: Effect[] = []
  for (const [model, value] of Object.entries(turnUsage(state, record))) {
    const usage = asRecord(value) ?? {}
    const counts = readModelCounts(usage)
    if (counts.inputTokens + counts.outputTokens === 0) continue
    // For a model it does not know the CLI charges the price of another.
    const costUsd = usage.costBasis === 'unknown' ? undefined : asNumber(usage.costUSD)
    state.usage = addUsage(state.usage, counts)
    if (costUsd !== undefined) state.costUsd = (state.costUsd ?? 0) + costUsd
    effects.push({ emit: { type: 'token_usage', ...counts, model: model || undefined, costUsd } })
  }
  if (state.costUsd !== null) effects.push({ emit: { type: 'cost', cost: costRecord(state.costUsd, state.usage) } })
  return effects
}

/** The counts of one reply, with its last block. Here input counts the cache too. */
export function messageUsage(state: DialogueState, message: JsonRecord): Effect[] {
  const counts = grossCounts(replyCounts(asRecord(message.usage) ?? {}))
  if (counts.inputTokens + counts.outputTokens === 0) return NO_EFFECTS
  state.usage = addUsage(state.usage, counts)
  return [{ emit: { type: 'token_usage', ...counts, model: asString(message.model) } }]
}

/**
 * What requests used that no message told of. The sum counts from the start of the session, earlier processes included: what
 * they used is known after the first turn only, so in that one only requests that must be there are looked for.
 */
export function untoldUsage(state: DialogueState, record: JsonRecord): Effect[] {
  const native = asRecord(record.usage)
  if (!native) return NO_EFFECTS
  const counts = grossCounts(replyCounts(native))
  const before = state.sessionTotals
  const isKnown = before !== null || (state.hasUntoldRequests && !continuesSession(state.options))
  state.sessionTotals = { counts, told: state.usage }
  if (!isKnown) return NO_EFFECTS
  const ofTurn = before ? countsSince(counts, before.counts) : counts
  const untold = countsSince(ofTurn, before ? countsSince(state.usage, before.told) : state.usage)
  if (untold.inputTokens + untold.outputTokens === 0) return NO_EFFECTS
  state.usage = addUsage(state.usage, untold)
  state.sessionTotals = { counts, told: state.usage }
  return [{ emit: { type: 'token_usage', ...untold, model: state.model || undefined } }]
}

/** Keeps what is told of a reply's counts before the result has them. A later telling adds to an earlier one. */
export function noteReply(state: DialogueState, id: string, { model, usage }: JsonRecord): void {
  const told = asRecord(usage)
  if (told === undefined || id === '' || state.dialect.usage !== 'result') return
  const before = state.replies.get(id)
  state.replies.set(id, { model: asString(model) ?? before?.model, usage: { ...before?.usage, ...told } })
}

/** The counts of a turn that has no result. */
export function unreportedUsage({ replies }: DialogueState): Effect[] {
  return [...replies.values()].flatMap(({ model, usage }): Effect[] => {
    const counts = netCounts(replyCounts(usage))
    if (counts.inputTokens + counts.outputTokens === 0) return NO_EFFECTS
    return [{ emit: { type: 'token_usage', ...counts, model } }]
  })
}

/** By the names of the API. Whether input counts the cache depends on the CLI. */
function replyCounts(native: JsonRecord) {
  return {
    input: native.input_tokens,
    output: native.output_tokens,
    cacheRead: native.cache_read_input_tokens,
    cacheCreation: native.cache_creation_input_tokens,
  }
}

/** One model's counts, as result lines and session files tell them. Input leaves out the cache there. */
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
