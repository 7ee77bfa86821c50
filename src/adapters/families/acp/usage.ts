import type { Cost, PromptResponse, UsageUpdate } from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asNumber, asRecord, asRecords, asString, isRecord, type JsonRecord } from '../../../core/json.ts'
import { addUsage, countsSince, emptyUsage, roundUsd, type UsageCounts } from '../../../core/usage.ts'
import type { TurnEvidence } from './profile.ts'
import type { Native } from './rpc.ts'
import type { AcpState } from './state.ts'

// The protocol's own names first, then those that agents use in `_meta`.
const INPUT = ['inputTokens', 'input_tokens', 'promptTokens']
const OUTPUT = ['outputTokens', 'output_tokens', 'completionTokens']
const THOUGHT = ['thoughtTokens', 'reasoningTokens', 'reasoning_tokens', 'thoughtsTokens']
const READ = ['cachedReadTokens', 'cacheReadTokens', 'cachedTokens', 'cache_read_input_tokens', 'cacheReadInputTokens']
const WRITTEN = ['cachedWriteTokens', 'cacheCreationTokens', 'cache_creation_input_tokens', 'cacheCreationInputTokens']

function first(native: JsonRecord, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = asNumber(native[name])
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * Null: no counts. Some agents leave the cached tokens out of the input, or the thoughts out of the output; whether
 * they do shows in the total. Without a total, Anthropic's names mean that the cached ones are left out.
 */
export function readCounts(native: unknown): UsageCounts | null {
  if (!isRecord(native)) return null
  const input = first(native, INPUT)
  const output = first(native, OUTPUT)
  if (input === undefined && output === undefined) return null
  const thinkingTokens = first(native, THOUGHT) ?? 0
  const cacheReadTokens = first(native, READ) ?? 0
  const cacheCreationTokens = first(native, WRITTEN) ?? 0
  const cached = cacheReadTokens + cacheCreationTokens
  const total = asNumber(native.totalTokens) ?? asNumber(native.total_tokens)
  const missing = total === undefined ? 0 : total - (input ?? 0) - (output ?? 0)
  const isNet = total === undefined ? 'cache_read_input_tokens' in native : cached > 0 && missing >= cached
  const lacksThoughts = missing > 0 && missing === (isNet ? cached : 0) + thinkingTokens
  return {
    inputTokens: (input ?? 0) + (isNet ? cached : 0),
    outputTokens: (output ?? 0) + (lacksThoughts ? thinkingTokens : 0),
    thinkingTokens,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens,
  }
}

function used(state: AcpState, counts: UsageCounts | null, model = state.model): Effect[] {
  if (counts === null || counts.inputTokens + counts.outputTokens === 0) return NO_EFFECTS
  const { totalTokens: _total, ...sum } = addUsage({ ...emptyUsage(), ...state.usageTotal }, counts)
  state.usageTotal = sum
  return [{ emit: { type: 'token_usage', ...counts, model } }]
}

/** Counts of each model, where the agent distinguishes them: a list, or by name. */
function byModel(native: unknown): { model: string; counts: UsageCounts | null }[] {
  const named = isRecord(native) ? Object.entries(native) : []
  const listed = asRecords(native).map(({ model, token_count }): [string, unknown] => [
    asString(model) ?? '',
    token_count,
  ])
  return [...listed, ...named].map(([model, counts]) => ({ model, counts: readCounts(counts) }))
}

function isTurnScope({ profile }: AcpState): boolean {
  return (profile.usageScope ?? 'turn') === 'turn'
}

/** What was used since the last update. The first says what the session had used before this run. */
function sessionUsage(state: AcpState, meta: unknown): Effect[] {
  const counts = state.profile.usageScope === 'session' ? readCounts(meta) : null
  if (counts === null) return NO_EFFECTS
  const before = state.isSessionCounted ? state.reported : counts
  state.isSessionCounted = true
  state.reported = counts
  return used(state, countsSince(counts, before))
}

/** What a turn has used, from the answer to its prompt, wherever the agent puts it. */
export function turnUsage(state: AcpState, { usage, _meta }: Native<PromptResponse>): Effect[] {
  // It was reported call by call already.
  if (state.usageSeen) return NO_EFFECTS
  const reported = readCounts(usage)
  if (reported !== null) {
    const counts = isTurnScope(state) ? reported : countsSince(reported, state.reported)
    state.reported = reported
    return used(state, notCounted(state, counts))
  }
  const meta = asRecord(_meta)
  const quota = asRecord(meta?.quota)
  const inMeta = asRecord(meta?.usage)
  const models = byModel(quota?.model_usage ?? inMeta?.modelUsage).filter(({ counts }) => counts !== null)
  if (models.length > 0) return models.flatMap(({ model, counts }) => used(state, notCounted(state, counts), model))
  return used(state, notCounted(state, readCounts(inMeta) ?? readCounts(quota?.token_count)))
}

/** Without what the requests of the turn have reported one by one. */
function notCounted(state: AcpState, counts: UsageCounts | null): UsageCounts | null {
  if (counts === null) return null
  const before = state.reportedInTurn
  state.reportedInTurn = countsSince(before, counts)
  return countsSince(counts, before)
}

/** One request of the running turn, reported as it comes; the answer to the prompt has the sum of all. */
export function requestUsage(state: AcpState, { sessionId, update }: JsonRecord, kind: string): Effect[] {
  const record = asRecord(update)
  const counts = record?.sessionUpdate === kind && sessionId === state.sessionId ? readCounts(record.usage) : null
  if (counts === null || state.replaying) return NO_EFFECTS
  state.reportedInTurn = addUsage({ ...emptyUsage(), ...state.reportedInTurn }, counts)
  return used(state, counts)
}

/** Counts from the agent's own record. */
export function recordedUsage(state: AcpState, { usage }: TurnEvidence): Effect[] {
  return usage.flatMap(({ counts, model }) => used(state, counts, model))
}

/** One call of the model, reported with the update that it came with. */
export function callUsage(state: AcpState, meta: unknown): Effect[] {
  const counts = readCounts(asRecord(meta)?.usage)
  if (counts === null) return NO_EFFECTS
  state.usageSeen = true
  return used(state, counts)
}

/** The context, which is not usage, and the cost of the session so far. */
export function usageUpdate(state: AcpState, update: Native<UsageUpdate>, isOfThisRun: boolean): Effect[] {
  state.context = { used: asNumber(update.used) ?? 0, max: asNumber(update.size) ?? 0 }
  const usage = sessionUsage(state, update._meta)
  const { amount, currency }: Native<Cost> = asRecord(update.cost) ?? {}
  const spent = asNumber(amount)
  if (spent === undefined || (asString(currency) ?? 'USD') !== 'USD') return usage
  if (isOfThisRun) state.spent = roundUsd(Math.max(0, spent - state.priorCost))
  else state.priorCost = spent
  return isOfThisRun ? [...usage, ...costSoFar(state)] : usage
}

/**
 * Reported when it changes, so that a limit applies at once, and again at the end of the turn, when the counts are known.
 * OpenCode and Kilo report 0 for a model whose price they do not know, which does not mean free.
 */
export function costSoFar({ spent = 0, usageTotal }: AcpState): Effect[] {
  if (spent === 0) return NO_EFFECTS
  return [{ emit: { type: 'cost', cost: { totalUsd: spent, ...usageTotal, source: 'agent' } } }]
}
