import { sep } from 'node:path'
import type { AgentName } from '../contract/names.ts'
import type { SessionFilter } from '../contract/session-manager.ts'
import type { SqlValue } from '../files/sqlite.ts'

/** A piece of SQL with what it compares to. */
export interface Condition {
  sql: string
  params: SqlValue[]
}

export function allOf(conditions: readonly (Condition | null)[]): Condition {
  const given = conditions.filter((condition) => condition !== null)
  return {
    sql: given.length === 0 ? 'TRUE' : given.map(({ sql }) => `(${sql})`).join(' AND '),
    params: given.flatMap(({ params }) => params),
  }
}

export function compare(sql: string, value: SqlValue | undefined): Condition | null {
  return value === undefined ? null : { sql, params: [value] }
}

/** This directory and everything below it. Without `LIKE`, for which `_` and `%` in a path mean something else. */
export function below(column: string, directory: string | undefined): Condition | null {
  if (directory === undefined) return null
  const folder = directory.length > 1 && directory.endsWith(sep) ? directory.slice(0, -1) : directory
  const prefix = folder.endsWith(sep) ? folder : `${folder}${sep}`
  return { sql: `${column} = ? OR substr(${column}, 1, ?) = ?`, params: [folder, prefix.length, prefix] }
}

/** One of these sessions, by unified ids. */
export function among(column: 'session_id' | 'root_id', ids: readonly string[] | undefined): Condition | null {
  if (ids === undefined) return null
  const sql = `source.agent || ':' || source.${column} IN (SELECT value FROM json_each(?))`
  return { sql, params: [JSON.stringify(ids)] }
}

/** What is asked for; `tagged` are the sessions with one of its tags. */
export interface StoredFilter extends SessionFilter<number> {
  tagged?: readonly string[]
  sessionIds?: readonly string[]
}

/** Which sessions: conditions on a row of `source`. */
export function sessionsThat(
  agent: AgentName | null | undefined,
  { since, until, model, cwd, tagged, sessionIds }: StoredFilter,
): Condition {
  return allOf([
    { sql: 'source.parent_id IS NULL AND source.message_count > 0', params: [] },
    compare('source.agent = ?', agent ?? undefined),
    compare('source.updated_at >= ?', since),
    compare('source.updated_at <= ?', until),
    compare('source.model = ?', model),
    below('source.cwd', cwd),
    among('session_id', tagged),
    sessionIds
      ? { sql: 'source.session_id IN (SELECT value FROM json_each(?))', params: [JSON.stringify(sessionIds)] }
      : null,
  ])
}
