import { dirname, join } from 'node:path'
import type { SessionSidecars, UsageRow } from '../../contract/session-store.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { usageRow } from '../../core/session-log.ts'
import { grossCounts, withTotal } from '../../core/usage.ts'

/** What a person said is between tags; the rest is said in their name. */
const QUERY = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/

export function promptText(record: JsonRecord): string {
  return QUERY.exec(textOf(record.content))?.[1] ?? ''
}

/** Here input counts the cache, too. */
function readUsage(native: JsonRecord): TokenUsage {
  const { inputTokens: input, outputTokens: output, reasoningTokens: thinking } = native
  const { cachedReadTokens: cacheRead, cacheCreationTokens: cacheCreation } = native
  return withTotal(grossCounts({ input, output, thinking, cacheRead, cacheCreation }))
}

/** Of the whole session; in a fork with the turns that it has copied. */
export function readTotal(usage: JsonRecord | undefined): TokenUsage | undefined {
  const total = asRecord(usage?.session)
  return total && readUsage(total)
}

/** The time at which a turn ended is reported to the nanosecond, and stays the same in a fork. */
function rowsOf(turn: JsonRecord): UsageRow[] {
  const endedAt = asString(turn.endedAt) ?? ''
  return Object.entries(asRecord(turn.modelUsage) ?? {}).map(([model, native]) =>
    usageRow(`${endedAt}/${model}`, asTime(endedAt) ?? 0, model, readUsage(asRecord(native) ?? {})),
  )
}

/** A sub-agent's files do not say whose it is. Its parent's do, and count its tokens. */
const UNNAMED_PARENT = 'unknown'

export const beside: SessionSidecars = {
  paths: (filePath) => ['summary.json', 'usage.json'].map((name) => join(dirname(filePath), name)),
  read(facts, [summary = {}, usage = {}]) {
    const { id, cwd } = asRecord(summary.info) ?? {}
    facts.sessionId = asString(id) ?? facts.sessionId
    facts.cwd = asString(cwd)
    facts.createdAt = asTime(summary.created_at) ?? 0
    facts.updatedAt = asTime(summary.updated_at) ?? 0
    facts.model = asString(summary.current_model_id)
    facts.forkedFrom = asString(summary.parent_session_id)
    if (summary.session_kind === 'subagent') {
      facts.parentId = UNNAMED_PARENT
      return []
    }
    return asRecords(usage.turns).flatMap(rowsOf)
  },
}
