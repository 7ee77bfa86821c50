import type { Effect } from '../../contract/dialogue.ts'
import type { AgentEventDraftOf } from '../../contract/event-drafts.ts'
import { asNumber, asRecord, type JsonRecord } from '../../core/json.ts'

interface Counts {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  thinking: number
}

/** exec writes snake_case, the app server camelCase. Input includes what came from the cache. */
function countsOf(usage: JsonRecord): Counts {
  const read = (camel: string, snake: string): number => asNumber(usage[camel]) ?? asNumber(usage[snake]) ?? 0
  return {
    input: read('inputTokens', 'input_tokens'),
    cacheRead: read('cachedInputTokens', 'cached_input_tokens'),
    cacheWrite: read('cacheWriteInputTokens', 'cache_write_input_tokens'),
    output: read('outputTokens', 'output_tokens'),
    thinking: read('reasoningOutputTokens', 'reasoning_output_tokens'),
  }
}

function usageEvent(counts: Counts, model?: string): AgentEventDraftOf<'token_usage'> {
  return {
    type: 'token_usage',
    inputTokens: counts.input,
    outputTokens: counts.output,
    thinkingTokens: counts.thinking,
    cachedTokens: counts.cacheRead,
    cacheReadTokens: counts.cacheRead,
    cacheCreationTokens: counts.cacheWrite,
    model,
  }
}

export function turnUsage(usage: JsonRecord, model?: string): Effect[] {
  return [{ emit: usageEvent(countsOf(usage), model) }]
}

function minus(a: Counts, b: Counts): Counts {
  return {
    input: Math.max(0, a.input - b.input),
    cacheRead: Math.max(0, a.cacheRead - b.cacheRead),
    cacheWrite: Math.max(0, a.cacheWrite - b.cacheWrite),
    output: Math.max(0, a.output - b.output),
    thinking: Math.max(0, a.thinking - b.thinking),
  }
}

/**
 * What one thread has used since the run began. Each notice holds the thread's total and the last request's part.
 * The part cannot be added up: it is sent again after an interrupt and changes when the context is compacted. So
 * this counts by how much the total grows.
 */
export class ThreadUsage {
  #total: Counts | null = null

  /** `ownTurn` false: the notice is about a turn before this run, and only tells where to count from. */
  read(tokenUsage: JsonRecord, ownTurn: boolean, model?: string): Effect[] {
    const total = countsOf(asRecord(tokenUsage.total) ?? {})
    const before = this.#total
    this.#total = total
    if (!ownTurn) return []
    const last = countsOf(asRecord(tokenUsage.last) ?? {})
    // A first notice in a thread with a past, or a total that was set back: the last request is what is new.
    const grown = before && total.input >= before.input && total.output >= before.output
    const added = minus(total, grown ? before : minus(total, last))
    return added.input + added.output > 0 ? [{ emit: usageEvent(added, model) }] : []
  }
}
