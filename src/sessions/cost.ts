import type { CostFigures, CostGroup, CostQuery, CostSummary } from '../contract/session-manager.ts'
import { asNumber, type JsonRecord } from '../core/json.ts'
import type { Database } from '../files/sqlite.ts'
import { allOf, below, compare } from './filter.ts'
import { number, text } from './tables.ts'
import { unifiedId } from './unified-id.ts'

/** A quarter of an hour: every time zone is a whole number of them away from UTC. */
const QUARTER_MS = 15 * 60_000

const UNKNOWN = 'unknown'

/** What a sum of requests belongs to. */
const GROUPS: Record<Exclude<CostGroup, 'tag'>, (row: JsonRecord) => string> = {
  agent: (row) => text(row.agent),
  model: (row) => text(row.model) || UNKNOWN,
  day: (row) => localDay(number(row.quarter) * QUARTER_MS),
  project: (row) => text(row.project) || UNKNOWN,
  session: (row) => sessionOf(row),
}

function sessionOf(row: JsonRecord): string {
  return unifiedId(text(row.agent), text(row.root_id))
}

/** The user's own day, as `2026-11-15`. */
function localDay(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Sums of requests that no grouping tells apart, made by SQLite, so that few rows come here. */
function spent(database: Database, { agent, since, until, model, cwd, groupBy }: CostQuery): JsonRecord[] {
  const requests = allOf([
    { sql: 'copy = 0', params: [] },
    compare('at >= ?', since),
    compare('at <= ?', until),
    compare('model = ?', model),
  ])
  const sessions = allOf([compare('source.agent = ?', agent), below('project', cwd)])
  const quarter = groupBy === 'day' ? `at / ${QUARTER_MS}` : '0'
  const statement = database.prepare(`
    WITH spent AS (
      SELECT source AS id, model, ${quarter} AS quarter, sum(input) AS input, sum(output) AS output,
        sum(thinking) AS thinking, sum(cache_read) AS cache_read, sum(cache_creation) AS cache_creation,
        sum(cost_usd) AS usd, sum(CASE WHEN cost_usd IS NULL THEN input + output ELSE 0 END) AS unpriced
      FROM usage WHERE ${requests.sql} GROUP BY 1, 2, 3)
    SELECT spent.*, source.agent, source.root_id, coalesce(root.cwd, source.cwd) AS project
    FROM spent JOIN source ON source.id = spent.id
    LEFT JOIN source AS root
      ON root.agent = source.agent AND root.session_id = source.root_id AND source.parent_id IS NOT NULL
    WHERE ${sessions.sql}`)
  return statement.all(...requests.params, ...sessions.params)
}

class Sum {
  readonly #sessions = new Set<string>()
  readonly #figures: CostFigures = {
    totalUsd: null,
    inputTokens: 0,
    outputTokens: 0,
    thinkingTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    unpricedTokens: 0,
    sessionCount: 0,
  }

  add(row: JsonRecord): void {
    const figures = this.#figures
    const usd = asNumber(row.usd)
    if (usd !== undefined) figures.totalUsd = (figures.totalUsd ?? 0) + usd
    figures.inputTokens += number(row.input)
    figures.outputTokens += number(row.output)
    figures.thinkingTokens += number(row.thinking)
    figures.cacheReadTokens += number(row.cache_read)
    figures.cacheCreationTokens += number(row.cache_creation)
    figures.unpricedTokens += number(row.unpriced)
    this.#sessions.add(sessionOf(row))
  }

  figures(): CostFigures {
    return { ...this.#figures, sessionCount: this.#sessions.size }
  }
}

/** What was spent in the given time, whatever sessions it was spent in. A copied request counts once. */
export function sumCost(database: Database, query: CostQuery): CostSummary {
  const total = new Sum()
  const unpriced = new Set<string>()
  const groups = new Map<string, Sum>()
  const groupOf = query.groupBy === undefined || query.groupBy === 'tag' ? null : GROUPS[query.groupBy]
  for (const row of spent(database, query)) {
    total.add(row)
    if (number(row.unpriced) > 0) unpriced.add(text(row.model) || UNKNOWN)
    if (!groupOf) continue
    const name = groupOf(row)
    const group = groups.get(name) ?? new Sum()
    groups.set(name, group)
    group.add(row)
  }
  const breakdowns = Object.fromEntries([...groups].map(([name, sum]) => [name, sum.figures()]))
  return {
    ...total.figures(),
    runCount: 0,
    unpricedModels: [...unpriced].sort(),
    ...(groupOf ? { breakdowns } : {}),
  }
}
