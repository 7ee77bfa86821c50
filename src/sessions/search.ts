import type { SessionSearchOptions } from '../contract/session-manager.ts'
import type { SessionSummary } from '../contract/sessions.ts'
import { searchTerms } from '../core/search-terms.ts'
import type { Database } from '../files/sqlite.ts'
import { sessionsThat } from './filter.ts'
import { listSummaries } from './summaries.ts'
import { number, text } from './tables.ts'
import { unifiedId } from './unified-id.ts'

/** The sessions with a term in them, and how good the best place is: FTS5 gives the better ones the smaller number. */
function matches(database: Database, term: string): Map<string, number> {
  const rows = database
    .prepare(
      `SELECT source.agent, source.root_id, min(words.rank) AS best
       FROM words JOIN block ON block.id = words.rowid JOIN source ON source.id = block.source
       WHERE words MATCH ? GROUP BY source.agent, source.root_id`,
    )
    .all(term)
  return new Map(rows.map((row) => [unifiedId(text(row.agent), text(row.root_id)), -number(row.best)]))
}

/** Sessions in which all terms are found, anywhere in them or in their sub-agents. */
export function searchSessions(database: Database, options: SessionSearchOptions): SessionSummary[] {
  const { limit = 50, sort = 'relevance', agent, text: wanted } = options
  const [first, ...others] = searchTerms(wanted).map((term) => matches(database, term))
  if (!first) return []
  const scores = new Map<string, number>()
  for (const [id, score] of first) {
    const all = [score, ...others.map((found) => found.get(id))]
    const sum = all.reduce<number>((total, one) => total + (one ?? Number.NaN), 0)
    if (!Number.isNaN(sum)) scores.set(id, sum)
  }
  const best = Math.max(0, ...scores.values())
  const condition = sessionsThat(agent, options)
  const among = {
    sql: `${condition.sql} AND source.agent || ':' || source.session_id IN (SELECT value FROM json_each(?))`,
    params: [...condition.params, JSON.stringify([...scores.keys()])],
  }
  const found = listSummaries(database, among, {
    limit: sort === 'relevance' ? scores.size : limit,
    sort: sort === 'cost' ? 'cost' : 'date',
  }).map((one) => ({ ...one, relevanceScore: best === 0 ? 0 : (scores.get(one.unifiedId) ?? 0) / best }))
  if (sort === 'relevance') found.sort((a, b) => b.relevanceScore - a.relevanceScore)
  return found.slice(0, limit)
}
