import type { Change } from '../../contract/api/change.ts'
import { asNumber, asString, type JsonRecord } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'

/** A change as it is stored, and as it is sent: `json` is the whole `Change`. */
export interface ChangeRow {
  seq: number
  kind: Change['kind']
  sessionId: string
  json: string
}

type Envelope = 'seq' | 'kind' | 'sessionId' | 'launch' | 'n'
type Body<Kind extends Change['kind']> = Omit<Extract<Change, { kind: Kind }>, Envelope>

/** Which record of which launch. */
interface Place {
  launch: number | null
  n: number | null
}

const NOWHERE: Place = { launch: null, n: null }

const KINDS: readonly Change['kind'][] = ['event', 'session', 'message', 'notification', 'removed']

/** The log of all changes. What is appended gets the next number; numbers are handed out in the order of commits. */
export class ChangeLog {
  readonly #insert: Statement
  readonly #after: Statement
  readonly #afterInSession: Statement
  readonly #last: Statement
  readonly #latest: Statement
  readonly #forget: Statement

  constructor(database: Database) {
    const columns = 'seq, kind, session_id, launch, n, data'
    this.#insert = database.prepare('INSERT INTO change_log (kind, session_id, launch, n, data) VALUES (?, ?, ?, ?, ?)')
    this.#after = database.prepare(`SELECT ${columns} FROM change_log WHERE seq > ? ORDER BY seq LIMIT ?`)
    this.#afterInSession = database.prepare(
      `SELECT ${columns} FROM change_log WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    )
    this.#last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'change_log'")
    this.#latest = database.prepare(
      `SELECT ${columns} FROM change_log WHERE kind = 'notification' ORDER BY seq DESC LIMIT ?`,
    )
    this.#forget = database.prepare('DELETE FROM change_log WHERE session_id = ?')
  }

  /** Within a transaction. */
  append<Kind extends Change['kind']>(
    kind: Kind,
    sessionId: string,
    body: Body<Kind>,
    place: Place = NOWHERE,
  ): ChangeRow {
    const data = JSON.stringify(body)
    const { lastInsertRowid } = this.#insert.run(kind, sessionId, place.launch, place.n, data)
    return row(lastInsertRowid, kind, sessionId, place, data)
  }

  after(seq: number, limit: number, sessionId?: string): ChangeRow[] {
    const rows = sessionId === undefined ? this.#after.all(seq, limit) : this.#afterInSession.all(sessionId, seq, limit)
    return rows.flatMap(readRow)
  }

  /** Notifications, newest first. */
  notifications(limit: number): ChangeRow[] {
    return this.#latest.all(limit).flatMap(readRow)
  }

  get lastSeq(): number {
    return asNumber(this.#last.get()?.seq) ?? 0
  }

  forget(sessionId: string): void {
    this.#forget.run(sessionId)
  }
}

function readRow({ seq, kind, session_id, launch, n, data }: JsonRecord): ChangeRow[] {
  const known = KINDS.find((one) => one === kind)
  if (known === undefined) return [] // of a newer version
  const place = { launch: asNumber(launch) ?? null, n: asNumber(n) ?? null }
  return [row(Number(seq), known, String(session_id), place, asString(data) ?? '{}')]
}

/** Put together as text: an event is not parsed on its way out. Ids of sessions are ours and need no escaping. */
function row(seq: number, kind: Change['kind'], sessionId: string, { launch, n }: Place, data: string): ChangeRow {
  const place = launch === null ? '' : `,"launch":${launch},"n":${n}`
  const body = data === '{}' ? '}' : `,${data.slice(1)}`
  return { seq, kind, sessionId, json: `{"seq":${seq},"kind":"${kind}","sessionId":"${sessionId}"${place}${body}` }
}
