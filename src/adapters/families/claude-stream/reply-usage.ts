import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../../core/json.ts'
import { addUsage, countsSince, emptyUsage, netCounts, type UsageCounts } from '../../../core/usage.ts'
import type { DialogueState } from './state.ts'

/** One reply of the running turn. */
export interface Reply {
  model: string | undefined
  usage: JsonRecord
  /** What of it has been told as events. */
  told: UsageCounts
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
  const told = asRecord(usage)
  if (told === undefined || id === '' || state.dialect.usage === 'messages') return
  const before = state.replies.get(id)
  state.replies.set(id, {
    model: asString(model) ?? before?.model,
    usage: { ...before?.usage, ...told },
    told: before?.told ?? emptyUsage(),
  })
  if (state.replies.size > MAX_REPLIES) foldOldest(state.replies)
}

/** Older replies of a turn are complete: they are kept as one sum for each model, however many there are. */
const MAX_REPLIES = 256
const SUM_OF = 'sum of '

function foldOldest(replies: Map<string, Reply>): void {
  for (const [id, { model, usage, told }] of replies) {
    if (id.startsWith(SUM_OF)) continue
    replies.delete(id)
    const key = `${SUM_OF}${model}`
    const sum = replies.get(key)
    replies.set(key, {
      model,
      usage: sum ? sumOfUsage(sum.usage, usage) : usage,
      told: addUsage({ ...emptyUsage(), ...sum?.told }, told),
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
  return state.dialect.usage === 'replies' ? untoldOf(state, id) : NO_EFFECTS
}

function untoldOf(state: DialogueState, id: string): Effect[] {
  const reply = state.replies.get(id)
  if (!reply) return NO_EFFECTS
  const counts = netCounts(replyCounts(reply.usage))
  const untold = countsSince(counts, reply.told)
  if (untold.inputTokens + untold.outputTokens === 0) return NO_EFFECTS
  reply.told = counts
  state.usage = addUsage(state.usage, untold)
  const serviceTier = serviceTierOf(reply.usage)
  return [{ emit: { type: 'token_usage', ...untold, model: reply.model, serviceTier } }]
}

/** The counts of all replies of a turn that has no result. */
export function unreportedUsage(state: DialogueState): Effect[] {
  return [...state.replies.keys()].flatMap((id) => untoldOf(state, id))
}

/**
 * What the replies of the turn have told, by model. A result may name a model in another way than its replies do: what
 * was told under a name that the result does not have counts for any of its models.
 */
export function toldByReplies({ replies }: DialogueState, models: ReadonlySet<string>) {
  const byModel = new Map<string, UsageCounts>()
  for (const { model = '', told } of replies.values()) {
    const name = models.has(model) ? model : ''
    byModel.set(name, addUsage({ ...emptyUsage(), ...byModel.get(name) }, told))
  }
  return {
    /** What of these counts was not told. */
    take(model: string, counts: UsageCounts): UsageCounts {
      const left = subtract(byModel, model, counts)
      return model === '' ? left : subtract(byModel, '', left)
    },
  }
}

function subtract(told: Map<string, UsageCounts>, name: string, counts: UsageCounts): UsageCounts {
  const credit = told.get(name)
  if (!credit) return counts
  told.set(name, countsSince(credit, counts))
  return countsSince(counts, credit)
}
