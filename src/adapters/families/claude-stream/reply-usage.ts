import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import { addUsage, countsSince, emptyUsage, netCounts, type UsageCounts } from '../../../core/usage.ts'
import type { DialogueState } from './state.ts'

/** One reply of the running turn. */
export interface Reply {
  model: string | undefined
  usage: JsonRecord
  /** How much of it has been emitted as events. */
  reported: UsageCounts
}

export function isEmpty(counts: UsageCounts): boolean {
  return Object.values(counts).every((count) => count === 0)
}

/** By the names of the API. Whether input counts the cache depends on the CLI. */
export function replyCounts(native: JsonRecord) {
  return {
    input: native.input_tokens,
    output: native.output_tokens,
    cacheRead: native.cache_read_input_tokens,
    cacheCreation: native.cache_creation_input_tokens,
  }
}

/** The tier that served a reply; null or nothing where the server has not said. */
export function serviceTierOf(usage: unknown): string | undefined {
  return asString(asRecord(usage)?.service_tier) || undefined
}

/** Keeps what is said of a reply's counts. A later record adds to an earlier one. */
export function noteReply(state: DialogueState, id: string, { model, usage }: JsonRecord): void {
  const reported = asRecord(usage)
  if (reported === undefined || id === '' || state.dialect.usage === 'messages') return
  const before = state.replies.get(id)
  state.replies.set(id, {
    model: asString(model) ?? before?.model,
    usage: { ...before?.usage, ...reported },
    reported: before?.reported ?? emptyUsage(),
  })
  if (state.replies.size > MAX_REPLIES) foldOldest(state.replies)
}

/** Older replies of a turn are complete: they are kept as one sum for each model, however many there are. */
const MAX_REPLIES = 256
const SUM_OF = 'sum of '

function foldOldest(replies: Map<string, Reply>): void {
  for (const [id, { model, usage, reported }] of replies) {
    if (id.startsWith(SUM_OF)) continue
    replies.delete(id)
    const key = `${SUM_OF}${model}`
    const sum = replies.get(key)
    replies.set(key, {
      model,
      usage: sum ? sumOfUsage(sum.usage, usage) : usage,
      reported: addUsage({ ...emptyUsage(), ...sum?.reported }, reported),
    })
    return
  }
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

function sumOfUsage(one: JsonRecord, other: JsonRecord): JsonRecord {
  const sum = (name: string) => (asNumber(one[name]) ?? 0) + (asNumber(other[name]) ?? 0)
  return { ...other, ...Object.fromEntries(COUNTS.map((name) => [name, sum(name)])) }
}

/** The counts of a reply that is complete, as soon as it is: a budget has to hold inside a turn. */
export function replyUsage(state: DialogueState, id: string): Effect[] {
  return state.dialect.usage === 'replies' ? unreportedOf(state, id) : NO_EFFECTS
}

function unreportedOf(state: DialogueState, id: string): Effect[] {
  const reply = state.replies.get(id)
  if (!reply) return NO_EFFECTS
  const counts = netCounts(replyCounts(reply.usage))
  const more = countsSince(counts, reply.reported)
  if (more.inputTokens + more.outputTokens === 0) return NO_EFFECTS
  reply.reported = counts
  state.usage = addUsage(state.usage, more)
  const serviceTier = serviceTierOf(reply.usage)
  return [{ emit: { type: 'token_usage', ...more, model: reply.model, serviceTier } }]
}

/** The counts of all replies of a turn that has no result. */
export function unreportedUsage(state: DialogueState): Effect[] {
  return [...state.replies.keys()].flatMap((id) => unreportedOf(state, id))
}

/**
 * What the replies of the turn have reported, by model. A result may name a model in another way than its replies do:
 * what was reported under a name that the result does not have counts for any of its models.
 */
export function reportedByReplies({ replies }: DialogueState, models: ReadonlySet<string>) {
  const byModel = new Map<string, UsageCounts>()
  for (const { model = '', reported } of replies.values()) {
    const name = models.has(model) ? model : ''
    byModel.set(name, addUsage({ ...emptyUsage(), ...byModel.get(name) }, reported))
  }
  return {
    /** The part of these counts that was not reported. */
    take(model: string, counts: UsageCounts): UsageCounts {
      const left = subtract(byModel, model, counts)
      return model === '' ? left : subtract(byModel, '', left)
    },
  }
}

function subtract(reported: Map<string, UsageCounts>, name: string, counts: UsageCounts): UsageCounts {
  const credit = reported.get(name)
  if (!credit) return counts
  reported.set(name, countsSince(credit, counts))
  return countsSince(counts, credit)
}
