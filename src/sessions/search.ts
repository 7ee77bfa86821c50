import type { SessionSearchOptions } from '../contract/session-manager.ts'
import type { SessionSummary } from '../contract/sessions.ts'
import type { JsonRecord } from '../core/json.ts'
import type { Database } from '../files/sqlite.ts'
import { allOf, among, type Condition, type StoredFilter, sessionsThat } from './filter.ts'
import { searchTerms } from './search-terms.ts'
import { listSummaries } from './summaries.ts'
import { number, text } from './tables.ts'
import { unifiedId } from './unified-id.ts'

type SearchQuery = SessionSearchOptions<number> & StoredFilter

const placesOf = (column: string) => `
  SELECT block.source, ${column} FROM words JOIN block ON block.id = words.rowid WHERE words MATCH ? GROUP BY block.source`
const COUNTED = placesOf('count(*) AS n')
/** FTS5 gives the better places the smaller number. */
const WEIGHED = placesOf('min(words.rank) AS best')

/** The session that each source counts for, of those sessions that are asked for. */
function sessionsOfSources(database: Database, options: SearchQuery): Map<number, string> {
  const { sql, params } = sessionsThat(options.agent, options)
  const rows = database.prepare(`SELECT id, agent, root_id, (${sql}) AS wanted FROM source`).all(...params)
  const sessionOf = (row: JsonRecord) => unifiedId(text(row.agent), text(row.root_id))
  const wanted = new Set(rows.filter((row) => row.wanted === 1).map(sessionOf))
  const known = rows.map((row): [number, string] => [number(row.id), sessionOf(row)])
  return new Map(known.filter(([, session]) => wanted.has(session)))
}

/**
 * The sessions with a term in them, and how good the best place is. A term that is in most places does not distinguish one from
 * another, and is not weighed, which would take longest of all.
 */
function matches(database: Database, term: string, sessions: ReadonlyMap<number, string>): Map<string, number> {
  const counted = database.prepare(COUNTED).all(term)
  const found = counted.reduce((sum, { n }) => sum + number(n), 0)
  const [all] = database.prepare('SELECT count(*) AS n FROM block').all()
  const rows = found * 2 > number(all?.n) ? counted : database.prepare(WEIGHED).all(term)
  const best = new Map<string, number>()
  for (const row of rows) {
    const session = sessions.get(number(row.source))
    if (session !== undefined) best.set(session, Math.max(best.get(session) ?? 0, -number(row.best)))
  }
  return best
}

/** Sessions in which all terms are found, anywhere in them or in their sub-agents. */
export function searchSessions(database: Database, options: SearchQuery): SessionSummary[] {
  const { limit = 50, sort = 'relevance', text: wanted } = options
  const sessions = sessionsOfSources(database, options)
  const [first, ...others] = searchTerms(wanted).map((term) => matches(database, term, sessions))
  if (!first) return []
  const scores = new Map<string, number>()
  for (const [id, score] of first) {
    const all = [score, ...others.map((found) => found.get(id))]
    const sum = all.reduce<number>((total, one) => total + (one ?? Number.NaN), 0)
    if (!Number.isNaN(sum)) scores.set(id, sum)
  }
  const best = Math.max(0, ...scores.values())
  const found = listSummaries(database, these(sort === 'relevance' ? bestOf(scores, limit) : [...scores.keys()]), {
    limit,
    sort: sort === 'cost' ? 'cost' : 'date',
  })
  const rated = found.map((one) => ({
    ...one,
    relevanceScore: best === 0 ? 0 : (scores.get(one.unifiedId) ?? 0) / best,
  }))
  return sort === 'relevance' ? rated.sort((a, b) => b.relevanceScore - a.relevanceScore) : rated
}

/** The sessions of these ids. */
function these(ids: readonly string[]): Condition {
  return allOf([sessionsThat(null, {}), among('session_id', ids)])
}

function bestOf(scores: ReadonlyMap<string, number>, limit: number): string[] {
  const ordered = [...scores].sort(([, a], [, b]) => b - a)
  return ordered.slice(0, limit).map(([id]) => id)
}
