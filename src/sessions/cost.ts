import type { CostFigures, CostGroup, CostQuery, CostSummary } from '../contract/session-manager.ts'
import { asNumber, type JsonRecord } from '../core/json.ts'
import type { Database } from '../files/sqlite.ts'
import { allOf, below, compare } from './filter.ts'
import { number, text } from './tables.ts'

/** A quarter of an hour: every time zone is a whole number of them away from UTC. */
const QUARTER_MS = 15 * 60_000

/** By what rows are brought together before they come here, and what a group is called. */
const GROUPS: Record<Exclude<CostGroup, 'tag'>, { by: string; name(row: JsonRecord): string }> = {
  agent: { by: 'source.agent', name: (row) => text(row.grouped) },
  model: { by: 'usage.model', name: (row) => text(row.grouped) || 'unknown' },
  day: { by: `usage.at / ${QUARTER_MS}`, name: (row) => localDay(number(row.grouped) * QUARTER_MS) },
  project: { by: 'root.cwd', name: (row) => text(row.grouped) || 'unknown' },
  session: { by: `source.agent || ':' || source.root_id`, name: (row) => text(row.grouped) },
}

/** The user's own day, as `2026-11-15`. */
function localDay(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const FIGURES = `
  sum(usage.input) AS input, sum(usage.output) AS output, sum(usage.thinking) AS thinking,
  sum(usage.cache_read) AS cache_read, sum(usage.cache_creation) AS cache_creation, sum(usage.cost_usd) AS usd,
  sum(CASE WHEN usage.cost_usd IS NULL THEN usage.input + usage.output ELSE 0 END) AS unpriced`

const TABLES = `
  usage JOIN source ON source.id = usage.source
  LEFT JOIN source AS root ON root.agent = source.agent AND root.session_id = source.root_id AND root.parent_id IS NULL`

function noFigures(): CostFigures {
  return {
    totalUsd: null,
    inputTokens: 0,
    outputTokens: 0,
    thinkingTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    unpricedTokens: 0,
    sessionCount: 0,
  }
}

function addFigures(total: CostFigures, row: JsonRecord): void {
  const usd = asNumber(row.usd)
  if (usd !== undefined) total.totalUsd = (total.totalUsd ?? 0) + usd
  total.inputTokens += number(row.input)
  total.outputTokens += number(row.output)
  total.thinkingTokens += number(row.thinking)
  total.cacheReadTokens += number(row.cache_read)
  total.cacheCreationTokens += number(row.cache_creation)
  total.unpricedTokens += number(row.unpriced)
}

/** What was spent in the given time, whatever sessions it was spent in. A copied request counts once. */
export function sumCost(database: Database, query: CostQuery): CostSummary {
  const { agent, since, until, model, cwd, groupBy } = query
  const condition = allOf([
    { sql: 'usage.copy = 0', params: [] },
    compare('source.agent = ?', agent),
    compare('usage.at >= ?', since),
    compare('usage.at <= ?', until),
    compare('usage.model = ?', model),
    below('coalesce(root.cwd, source.cwd)', cwd),
  ])
  const total = noFigures()
  const unpriced = new Set<string>()
  const sessions = new Set<string>()
  const groups = new Map<string, { figures: CostFigures; sessions: Set<string> }>()
  const group = groupBy === undefined || groupBy === 'tag' ? null : GROUPS[groupBy]
  const rows = database
    .prepare(
      `SELECT ${group?.by ?? "''"} AS grouped, usage.model AS model, source.agent || ':' || source.root_id AS session,
       ${FIGURES} FROM ${TABLES} WHERE ${condition.sql} GROUP BY 1, 2, 3`,
    )
    .all(...condition.params)
  for (const row of rows) {
    const session = text(row.session)
    addFigures(total, row)
    sessions.add(session)
    if (number(row.unpriced) > 0) unpriced.add(text(row.model) || 'unknown')
    if (!group) continue
    const name = group.name(row)
    const part = groups.get(name) ?? { figures: noFigures(), sessions: new Set() }
    groups.set(name, part)
    addFigures(part.figures, row)
    part.sessions.add(session)
  }
  const breakdowns = [...groups].map(([name, part]) => [name, { ...part.figures, sessionCount: part.sessions.size }])
  return {
    ...total,
    sessionCount: sessions.size,
    runCount: 0,
    unpricedModels: [...unpriced].sort(),
    ...(group ? { breakdowns: Object.fromEntries(breakdowns) } : {}),
  }
}
