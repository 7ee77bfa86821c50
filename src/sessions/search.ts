import type { SessionSearchOptions } from '../contract/session-manager.ts'
import type { SessionSummary } from '../contract/sessions.ts'
import { searchTerms } from '../core/search-terms.ts'
import type { Database } from '../files/sqlite.ts'
import { type Condition, sessionsThat } from './filter.ts'
import { listSummaries } from './summaries.ts'
import { number, text } from './tables.ts'
import { unifiedId } from './unified-id.ts'

const PLACES = 'words JOIN block ON block.id = words.rowid JOIN source ON source.id = block.source'

/**
 * The sessions with a term in them, and how good the best place is. FTS5 gives the better ones the smaller number; a
 * term that is in most places tells none from another, and is not weighed, which would take longest of all.
 */
function matches(database: Database, term: string): Map<string, number> {
  const [found] = database.prepare('SELECT count(*) AS n FROM words WHERE words MATCH ?').all(term)
  const [all] = database.prepare('SELECT count(*) AS n FROM block').all()
  const best = number(found?.n) * 2 > number(all?.n) ? '0' : 'min(words.rank)'
  const rows = database
    .prepare(
      `SELECT source.agent, source.root_id, ${best} AS best FROM ${PLACES}
       WHERE words MATCH ? GROUP BY source.agent, source.root_id`,
    )
    .all(term)
  return new Map(rows.map((row) => [unifiedId(text(row.agent), text(row.root_id)), -number(row.best)]))
}

/** Sessions in which all terms are found, anywhere in them or in their sub-agents. */
export function searchSessions(database: Database, options: SessionSearchOptions): SessionSummary[] {
  const { limit = 50, sort = 'relevance', text: wanted } = options
  const [first, ...others] = searchTerms(wanted).map((term) => matches(database, term))
  if (!first) return []
  const scores = new Map<string, number>()
  for (const [id, score] of first) {
    const all = [score, ...others.map((found) => found.get(id))]
    const sum = all.reduce<number>((total, one) => total + (one ?? Number.NaN), 0)
    if (!Number.isNaN(sum)) scores.set(id, sum)
  }
  const best = Math.max(0, ...scores.values())
  const wantedIds = sort === 'relevance' ? bestOf(database, options, scores, limit) : [...scores.keys()]
  const found = listSummaries(database, amongThese(options, wantedIds), {
    limit,
    sort: sort === 'cost' ? 'cost' : 'date',
  })
  const rated = found.map((one) => ({
    ...one,
    relevanceScore: best === 0 ? 0 : (scores.get(one.unifiedId) ?? 0) / best,
  }))
  return sort === 'relevance' ? rated.sort((a, b) => b.relevanceScore - a.relevanceScore) : rated
}

function amongThese(options: SessionSearchOptions, ids: readonly string[]): Condition {
  const { sql, params } = sessionsThat(options.agent, options)
  return {
    sql: `${sql} AND source.agent || ':' || source.session_id IN (SELECT value FROM json_each(?))`,
    params: [...params, JSON.stringify(ids)],
  }
}

/** The best of those that are asked for. */
function bestOf(
  database: Database,
  options: SessionSearchOptions,
  scores: ReadonlyMap<string, number>,
  limit: number,
): string[] {
  const { sql, params } = amongThese(options, [...scores.keys()])
  const rows = database.prepare(`SELECT DISTINCT agent, session_id FROM source WHERE ${sql}`).all(...params)
  return rows
    .map((row) => unifiedId(text(row.agent), text(row.session_id)))
    .sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
    .slice(0, limit)
}
