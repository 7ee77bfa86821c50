import type { SessionUsage } from '../../contract/api/managed-session.ts'
import { asNumber, asString, type JsonRecord } from '../../core/json.ts'
import type { Database, SqlValue, Statement } from '../../files/sqlite.ts'

export type UsageGroup = 'session' | 'agent' | 'model' | 'day'

export interface UsageRow extends SessionUsage {
  key: string
  sessions: number
}

export interface UsageFilter {
  /** Days as `2026-01-31`, both included. */
  since?: string
  until?: string
  agents?: readonly string[]
}

/** What was used, by session, day and model. */
export class UsageTable {
  readonly #database: Database
  readonly #add: Statement
  readonly #spent: Statement

  constructor(database: Database) {
    this.#database = database
    this.#add = database.prepare(
      `INSERT INTO usage (session_id, day, agent, model, input_tokens, output_tokens, cache_read_tokens,
         cache_creation_tokens, turns, cost_usd, unpriced_tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET
         input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens,
         cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
         cache_creation_tokens = cache_creation_tokens + excluded.cache_creation_tokens,
         turns = turns + excluded.turns,
         cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN cost_usd
           ELSE coalesce(cost_usd, 0) + excluded.cost_usd END,
         unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens`,
    )
    this.#spent = database.prepare('SELECT sum(cost_usd) AS usd FROM usage WHERE day = ?')
  }

  /** Adds what came in since the last time; every figure is a difference. */
  add(at: { sessionId: string; day: string; agent: string; model: string | null }, more: SessionUsage): void {
    const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, turns, costUsd, unpricedTokens } = more
    const tokens = [inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens]
    this.#add.run(at.sessionId, at.day, at.agent, at.model ?? '', ...tokens, turns, costUsd, unpricedTokens)
  }

  /** What is known to have been spent on a day. */
  spentOn(day: string): number {
    return asNumber(this.#spent.get(day)?.usd) ?? 0
  }

  by(group: UsageGroup | null, { since, until, agents }: UsageFilter = {}): UsageRow[] {
    const column = group === null ? "''" : { session: 'session_id', agent: 'agent', model: 'model', day: 'day' }[group]
    const conditions: string[] = []
    const values: SqlValue[] = []
    const where = (condition: string, ...more: SqlValue[]) => {
      conditions.push(condition)
      values.push(...more)
    }
    if (since !== undefined) where('day >= ?', since)
    if (until !== undefined) where('day <= ?', until)
    if (agents !== undefined) where(`agent IN (${agents.map(() => '?').join(', ')})`, ...agents)
    const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    const sums = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_creation_tokens', 'turns', 'cost_usd']
    const columns = [...sums, 'unpriced_tokens'].map((name) => `sum(${name}) AS ${name}`).join(', ')
    return this.#database
      .prepare(
        `SELECT ${column} AS key, count(DISTINCT session_id) AS sessions, ${columns} FROM usage ${filter}
         GROUP BY 1 ORDER BY 1 DESC`,
      )
      .all(...values)
      .map(readUsage)
  }

  forget(sessionId: string): void {
    this.#database.prepare('DELETE FROM usage WHERE session_id = ?').run(sessionId)
  }
}

function readUsage(row: JsonRecord): UsageRow {
  const number = (name: string) => asNumber(row[name]) ?? 0
  return {
    key: asString(row.key) ?? '',
    sessions: number('sessions'),
    inputTokens: number('input_tokens'),
    outputTokens: number('output_tokens'),
    cacheReadTokens: number('cache_read_tokens'),
    cacheCreationTokens: number('cache_creation_tokens'),
    turns: number('turns'),
    costUsd: asNumber(row.cost_usd) ?? null,
    unpricedTokens: number('unpriced_tokens'),
  }
}
