import type { Rows, SessionReading, SessionStamp, UsageRow } from '../../contract/session-store.ts'
import { asNumber, asString, type JsonRecord, parseRecord } from '../../core/json.ts'
import { usageRow } from '../../core/session-log.ts'
import { sessionTitle } from '../../core/session-title.ts'
import type { UsageCounts } from '../../core/usage.ts'

/** Times are seconds in the store. */
export function timeOf(value: unknown): number {
  return Math.round((asNumber(value) ?? 0) * 1000)
}

/**
 * What a session with a parent is. A branch names its origin. One that goes on where another was too long has it for a
 * parent, too, and so has the session of a sub-agent, which says so.
 */
export function lineageOf(row: JsonRecord): { parentId?: string; forkedFrom?: string } {
  const parent = asString(row.parent_session_id)
  const config = parseRecord(asString(row.model_config) ?? '') ?? {}
  if (parent === undefined) return {}
  return asString(config._delegate_from) === undefined ? { forkedFrom: parent } : { parentId: parent }
}

/** Sessions over ACP have it among their settings (0.19). */
export function cwdOf(row: JsonRecord): string | undefined {
  return asString(row.cwd) ?? asString(parseRecord(asString(row.model_config) ?? '')?.cwd)
}

export function sessionStamps(database: Rows): SessionStamp[] {
  const rows = database.all(`
    SELECT sessions.id, started_at, ended_at, input_tokens, output_tokens, count(messages.id) AS messages,
      max(messages.timestamp) AS last
    FROM sessions LEFT JOIN messages ON messages.session_id = sessions.id GROUP BY sessions.id`)
  return rows.map((row) => ({
    id: asString(row.id) ?? '',
    stamp: [row.ended_at, row.input_tokens, row.output_tokens, row.messages, row.last].join(' '),
    touchedAt: Math.max(timeOf(row.started_at), timeOf(row.last)),
  }))
}

/** Input leaves out the cache there. */
function readCounts(row: JsonRecord): UsageCounts {
  const cacheReadTokens = asNumber(row.cache_read_tokens) ?? 0
  const cacheCreationTokens = asNumber(row.cache_write_tokens) ?? 0
  return {
    inputTokens: (asNumber(row.input_tokens) ?? 0) + cacheReadTokens + cacheCreationTokens,
    outputTokens: asNumber(row.output_tokens) ?? 0,
    thinkingTokens: asNumber(row.reasoning_tokens) ?? 0,
    cachedTokens: cacheReadTokens,
    cacheReadTokens,
    cacheCreationTokens,
  }
}

/** Sums, with what was billed, else with what the agent takes for the price. Unknown is 0 there. */
function sumOf(row: JsonRecord, sessionId: string, at: number): UsageRow[] {
  const counts = readCounts(row)
  if (counts.inputTokens + counts.outputTokens === 0) return []
  const kind = [row.model, row.billing_provider, row.billing_base_url, row.billing_mode, row.task].join('|')
  const costUsd = asNumber(row.actual_cost_usd) || asNumber(row.estimated_cost_usd) || undefined
  return [{ ...usageRow(`${sessionId}|${kind}`, timeOf(row.last_seen) || at, asString(row.model), counts), costUsd }]
}

/** By model and task where the store has that: helpers are distinguished there. */
function usageOf(database: Rows, session: JsonRecord, sessionId: string, at: number): UsageRow[] {
  const [table] = database.all(`SELECT name FROM sqlite_master WHERE name = 'session_model_usage'`)
  const rows = table ? database.all('SELECT * FROM session_model_usage WHERE session_id = ?', sessionId) : []
  return (rows.length > 0 ? rows : [session]).flatMap((row) => sumOf(row, sessionId, at))
}

export function sessionReading(database: Rows, sessionId: string): SessionReading | null {
  const [row] = database.all('SELECT * FROM sessions WHERE id = ?', sessionId)
  if (!row) return null
  const [counts] = database.all(
    `SELECT count(*) AS messages, sum(role = 'user') AS turns, max(timestamp) AS last FROM messages
     WHERE session_id = ? AND role IN ('user', 'assistant', 'system')`,
    sessionId,
  )
  const [first] = database.all(
    `SELECT content FROM messages WHERE session_id = ? AND role = 'user' ORDER BY id LIMIT 1`,
    sessionId,
  )
  const createdAt = timeOf(row.started_at)
  const updatedAt = timeOf(counts?.last) || createdAt
  return {
    facts: {
      sessionId,
      ...lineageOf(row),
      title: sessionTitle(asString(row.title) || asString(first?.content) || ''),
      createdAt,
      updatedAt,
      turnCount: asNumber(counts?.turns) ?? 0,
      messageCount: asNumber(counts?.messages) ?? 0,
      model: asString(row.model),
      cwd: cwdOf(row),
    },
    usage: usageOf(database, row, sessionId, updatedAt),
  }
}
