import type { Change } from '../../contract/api/change.ts'
import type { LogPlace } from '../../contract/api/place.ts'
import { asNumber, asString, type JsonRecord } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'
import { Generations } from './generation.ts'
import { changeJson, framesSql, SOUND_COLUMNS } from './wire.ts'

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

/** An event of a launch: its number there, and `{"event":…}` as text. */
export interface EventBody {
  n: number
  body: string
}

/** So many events go in with one statement: most of the cost is in the calls, not in the rows. */
const GROUP = 16

const NOWHERE: Place = { launch: null, n: null }

const KINDS: readonly Change['kind'][] = ['event', 'session', 'message', 'notification', 'removed', 'reset']

/** The log of all changes. What is appended gets the next number; numbers are handed out in the order of commits. */
export class ChangeLog {
  readonly generations: Generations
  readonly #insert: Statement
  readonly #insertGroup: Statement
  readonly #after: Statement
  readonly #afterInSession: Statement
  readonly #frames: Statement
  readonly #framesOfSession: Statement
  readonly #last: Statement
  readonly #latest: Statement
  readonly #forget: Statement
  readonly #forgetHorizon: Statement
  readonly #horizonOf: Statement
  readonly #setHorizon: Statement
  readonly #cut: Statement
  readonly #first: Statement
  readonly #counts: Statement
  readonly #nth: Statement
  #horizon: number | null = null

  constructor(database: Database) {
    const columns = SOUND_COLUMNS
    this.#insert = database.prepare('INSERT INTO change_log (kind, session_id, launch, n, data) VALUES (?, ?, ?, ?, ?)')
    const group = Array.from({ length: GROUP }, (_, at) => `('event', ?1, ?2, ?${3 + 2 * at}, ?${4 + 2 * at})`).join(
      ', ',
    )
    this.#insertGroup = database.prepare(`INSERT INTO change_log (kind, session_id, launch, n, data) VALUES ${group}`)
    this.#after = database.prepare(`SELECT ${columns} FROM change_log WHERE seq > ? ORDER BY seq LIMIT ?`)
    this.#afterInSession = database.prepare(
      `SELECT ${columns} FROM change_log WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    )
    // Rows that were forgotten count, too; a lost counter does not hide the rows that are there.
    this.#last = database.prepare(
      `SELECT max(seq) AS seq FROM
       (SELECT seq FROM sqlite_sequence WHERE name = 'change_log' UNION ALL SELECT max(seq) FROM change_log)`,
    )
    this.#latest = database.prepare(
      `SELECT ${columns} FROM change_log WHERE kind = 'notification' ORDER BY seq DESC LIMIT ?`,
    )
    this.#forget = database.prepare('DELETE FROM change_log WHERE session_id = ?')
    this.#forgetHorizon = database.prepare('DELETE FROM change_horizon WHERE session_id = ?')
    this.#horizonOf = database.prepare('SELECT seq FROM change_horizon WHERE session_id = ?')
    this.#setHorizon = database.prepare('INSERT OR REPLACE INTO change_horizon (session_id, seq) VALUES (?, ?)')
    this.#cut = database.prepare('DELETE FROM change_log WHERE session_id = ? AND seq <= ?')
    this.#first = database.prepare('SELECT min(seq) AS seq FROM change_log')
    this.#counts = database.prepare('SELECT session_id, count(*) AS rows FROM change_log GROUP BY session_id')
    this.#nth = database.prepare('SELECT seq FROM change_log WHERE session_id = ? ORDER BY seq LIMIT 1 OFFSET ?')
    this.generations = new Generations(database, this.lastSeq)
    const { current } = this.generations
    this.#frames = database.prepare(framesSql('seq > ?1', current))
    this.#framesOfSession = database.prepare(framesSql('seq > ?1 AND session_id = ?3', current))
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

  /** Events of one launch, within a transaction. */
  appendEvents(sessionId: string, launch: number, events: readonly EventBody[]): ChangeRow[] {
    const rows: ChangeRow[] = []
    for (let at = 0; at < events.length; ) {
      const isWhole = events.length - at >= GROUP
      const group = isWhole ? events.slice(at, at + GROUP) : events.slice(at, at + 1)
      const values = group.flatMap(({ n, body }) => [n, body])
      const { lastInsertRowid } = isWhole
        ? this.#insertGroup.run(sessionId, launch, ...values)
        : this.#insert.run('event', sessionId, launch, ...values)
      // One statement gives its rows numbers without a gap.
      const first = lastInsertRowid - group.length + 1
      for (const [index, { n, body }] of group.entries()) {
        rows.push(row(first + index, 'event', sessionId, { launch, n }, body))
      }
      at += group.length
    }
    return rows
  }

  after(seq: number, limit: number, sessionId?: string): ChangeRow[] {
    const rows = sessionId === undefined ? this.#after.all(seq, limit) : this.#afterInSession.all(sessionId, seq, limit)
    return rows.flatMap(readRow)
  }

  /** Changes as they go over the wire, and how many they are. */
  frames(after: number, limit: number, sessionId?: string): { text: string; rows: number; last: number } {
    const found =
      sessionId === undefined ? this.#frames.get(after, limit) : this.#framesOfSession.get(after, limit, sessionId)
    return {
      text: asString(found?.text) ?? '',
      rows: asNumber(found?.rows) ?? 0,
      last: asNumber(found?.last) ?? after,
    }
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
    this.#forgetHorizon.run(sessionId)
  }

  /** Changes up to this one are not kept any more. */
  get horizon(): number {
    this.#horizon ??= this.#horizonAt('')
    return this.#horizon
  }

  /**
   * What somebody who has read up to `after` has missed for good; null: nothing. Of one session, or of all. A reader that is
   * ahead of the log has read another one: the database was put back or made again.
   */
  missedAfter(after: number, sessionId = '', last = this.lastSeq): ChangeRow | null {
    if (after > last) return row(last, 'reset', sessionId, NOWHERE, '{}')
    if (after >= this.horizon) return null
    const seq = this.#horizonAt(sessionId)
    return after < seq ? row(seq, 'reset', sessionId, NOWHERE, '{}') : null
  }

  /** What a reader has missed that comes from another log: everything. Null: it comes from this one. */
  foreignTo(place: LogPlace, sessionId = '', last = this.lastSeq): ChangeRow | null {
    return this.generations.knows(place) ? null : row(last, 'reset', sessionId, NOWHERE, '{}')
  }

  /** As many rows as there can be; those that were forgotten in between count, too. */
  get mostRows(): number {
    return this.lastSeq - (asNumber(this.#first.get()?.seq) ?? 0) + 1
  }

  countBySession(): { sessionId: string; rows: number }[] {
    return this.#counts.all().map(({ session_id, rows }) => ({
      sessionId: asString(session_id) ?? '',
      rows: asNumber(rows) ?? 0,
    }))
  }

  /** The oldest changes of one session. Within a transaction. */
  forgetOldest(sessionId: string, rows: number): void {
    const seq = asNumber(this.#nth.get(sessionId, rows - 1)?.seq)
    if (seq === undefined) return
    const all = Math.max(seq, this.#horizonAt(''))
    this.#horizon = null // read again, also when all this is taken back
    this.#setHorizon.run(sessionId, seq)
    this.#setHorizon.run('', all)
    this.#cut.run(sessionId, seq)
  }

  #horizonAt(sessionId: string): number {
    return asNumber(this.#horizonOf.get(sessionId)?.seq) ?? 0
  }
}

function readRow({ seq, kind, session_id, launch, n, data }: JsonRecord): ChangeRow[] {
  const known = KINDS.find((one) => one === kind)
  if (known === undefined) return [] // of a newer version
  if (known === 'reset') return [row(Number(seq), known, String(session_id), NOWHERE, '{}')]
  const place = { launch: asNumber(launch) ?? null, n: asNumber(n) ?? null }
  return [row(Number(seq), known, String(session_id), place, asString(data) ?? '{}')]
}

function row(seq: number, kind: Change['kind'], sessionId: string, { launch, n }: Place, data: string): ChangeRow {
  return { seq, kind, sessionId, json: changeJson({ seq, kind, sessionId }, launch, n, data) }
}
