import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../core/json.ts'
import type { UsageCounts } from '../../core/usage.ts'
import { countsSince, grossCounts } from '../../core/usage.ts'
import { isMain } from './session.ts'
import type { DialogueState } from './state.ts'

/** exec and session files write snake_case, the app server camelCase. Input includes what came from the cache. */
export function readCounts(native: JsonRecord): UsageCounts {
  const read = (camel: string, snake: string): unknown => native[camel] ?? native[snake]
  return grossCounts({
    input: read('inputTokens', 'input_tokens'),
    output: read('outputTokens', 'output_tokens'),
    thinking: read('reasoningOutputTokens', 'reasoning_output_tokens'),
    cacheRead: read('cachedInputTokens', 'cached_input_tokens'),
    cacheCreation: read('cacheWriteInputTokens', 'cache_write_input_tokens'),
  })
}

/** By how much a total has grown. One that was set back says nothing, and then the last request is what is new. */
export function newCounts(now: UsageCounts, before: UsageCounts, last?: UsageCounts): UsageCounts {
  const isGrown = now.inputTokens >= before.inputTokens && now.outputTokens >= before.outputTokens
  return isGrown || !last ? countsSince(now, before) : last
}

/**
 * What one thread has used since the run began. Each notice holds the thread's total and the last request's part.
 * The part cannot be added up: it is sent again after an interrupt and changes when the context is compacted. So
 * this counts by how much the total grows.
 */
export function threadUsage(state: DialogueState, params: JsonRecord, tokenUsage: JsonRecord): Effect[] {
  const threadId = asString(params.threadId) ?? ''
  const last = asRecord(tokenUsage.last) ?? {}
  const total = readCounts(asRecord(tokenUsage.total) ?? {})
  const before = state.threadTotals.get(threadId)
  state.threadTotals.set(threadId, total)
  if (isMain(state, params)) {
    state.contextTokens = {
      used: asNumber(last.totalTokens) ?? 0,
      max: asNumber(tokenUsage.modelContextWindow) ?? 0,
    }
  }
  // A notice about a turn before this run only shows where to count from.
  if (!isOwnTurn(state, params)) return NO_EFFECTS
  // A first notice in a thread with a past, or a total that was set back: the last request is what is new.
  const isGrown = before && total.inputTokens >= before.inputTokens && total.outputTokens >= before.outputTokens
  const added = countsSince(total, isGrown ? before : countsSince(total, readCounts(last)))
  if (added.inputTokens + added.outputTokens === 0) return NO_EFFECTS
  return [{ emit: { type: 'token_usage', ...added, model: state.model, serviceTier: state.serviceTier } }]
}

function isOwnTurn(state: DialogueState, params: JsonRecord): boolean {
  if (!isMain(state, params)) return state.subagents.has(asString(params.threadId) ?? '')
  return state.turnOpen && params.turnId === state.turnId
}
