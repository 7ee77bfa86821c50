import { asNumber, asString, type JsonRecord } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'
import type { SessionRecord } from '../sessions/record.ts'
import { damagedSession, isSessionRecord } from './damaged-session.ts'

/** Managed sessions, each whole in one row. */
export class SessionTable {
  readonly #insert: Statement
  readonly #update: Statement
  readonly #get: Statement
  readonly #list: Statement
  readonly #find: Statement
  readonly #delete: Statement
  readonly #launches: Statement

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO sessions (id, name, agent, created_at, record) VALUES (?, ?, ?, ?, ?)')
    this.#update = database.prepare('UPDATE sessions SET record = ? WHERE id = ?')
    const columns = 'id, name, agent, created_at, record'
    this.#get = database.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`)
    this.#list = database.prepare(`SELECT ${columns} FROM sessions ORDER BY created_at DESC, id DESC`)
    this.#launches = database.prepare(
      `SELECT max(number) AS launch, sum(state <> 'ended') AS open FROM launches WHERE session_id = ?`,
    )
    this.#find = database.prepare('SELECT id, name FROM sessions WHERE id = ?1 OR name = ?1 OR id LIKE ?2')
    this.#delete = database.prepare('DELETE FROM sessions WHERE id = ?')
  }

  insert(session: SessionRecord): void {
    const { id, name, agent, createdAt } = session
    this.#insert.run(id, name, agent, createdAt, JSON.stringify(session))
  }

  update(session: SessionRecord): void {
    this.#update.run(JSON.stringify(session), session.id)
  }

  get(id: string): SessionRecord | null {
    const row = this.#get.get(id)
    return row ? this.#read(row) : null
  }

  /** Newest first. */
  list(): SessionRecord[] {
    return this.#list.all().map((row) => this.#read(row))
  }

  /** Ids of those that an id, a name or the beginning of an id can mean; a full match is the only one. */
  matching(given: string): string[] {
    const prefix = /^[a-z0-9]+$/.test(given) ? `${given}%` : ''
    const rows = this.#find.all(given, prefix)
    const exact = rows.find(({ id, name }) => id === given || name === given)
    return (exact ? [exact] : rows).flatMap(({ id }) => asString(id) ?? [])
  }

  delete(id: string): void {
    this.#delete.run(id)
  }

  /** One damaged row is one damaged session, and no harm to the others. */
  #read(row: JsonRecord): SessionRecord {
    const record = parse(row.record)
    if (record && record.id === row.id) return record
    const { launch, open } = this.#launches.get(asString(row.id) ?? '') ?? {}
    return damagedSession({ row, launch: asNumber(launch) ?? 0, isLive: (asNumber(open) ?? 0) > 0 })
  }
}

/** Written by us alone, and by a version that is at most as new as this one; null when it is damaged anyway. */
function parse(text: unknown): SessionRecord | null {
  try {
    const record: unknown = JSON.parse(String(text))
    return isSessionRecord(record) ? record : null
  } catch {
    return null
  }
}
