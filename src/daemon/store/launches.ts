import type { RunInfo } from '../../contract/api/schemas.ts'
import type { LaunchResult } from '../../contract/launch.ts'
import { asNumber, asString, isRecord, type JsonRecord } from '../../core/json.ts'
import type { Database, Statement } from '../../files/sqlite.ts'

export type LaunchState = RunInfo['state']
export type LaunchOrigin = RunInfo['origin']

export interface LaunchRow {
  id: string
  sessionId: string
  number: number
  agent: string
  state: LaunchState
  origin: LaunchOrigin
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  /** How far its records were taken in: the number of the last one, and the place in the file after it. */
  records: number
  position: number
  result: LaunchResult | null
}

const COLUMNS = `id, session_id, number, agent, state, origin, created_at, started_at, ended_at, records, position, result`

/** Every run of every session. */
export class LaunchTable {
  readonly #insert: Statement
  readonly #start: Statement
  readonly #advance: Statement
  readonly #end: Statement
  readonly #get: Statement
  readonly #open: Statement
  readonly #list: Statement

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO launches (id, session_id, number, agent, state, origin, created_at) VALUES (?, ?, ?, ?, 'queued', ?, ?)`,
    )
    this.#start = database.prepare('UPDATE launches SET state = ?, started_at = coalesce(started_at, ?) WHERE id = ?')
    this.#advance = database.prepare('UPDATE launches SET records = ?, position = ? WHERE id = ?')
    this.#end = database.prepare(`UPDATE launches SET state = 'ended', ended_at = ?, result = ? WHERE id = ?`)
    this.#get = database.prepare(`SELECT ${COLUMNS} FROM launches WHERE id = ?`)
    this.#open = database.prepare(`SELECT ${COLUMNS} FROM launches WHERE state <> 'ended' ORDER BY created_at, id`)
    this.#list = database.prepare(
      `SELECT ${COLUMNS} FROM launches WHERE (?1 IS NULL OR session_id = ?1) AND (?2 IS NULL OR agent = ?2)
       ORDER BY created_at DESC, id DESC LIMIT ?3`,
    )
  }

  insert(launch: Pick<LaunchRow, 'id' | 'sessionId' | 'number' | 'agent' | 'origin' | 'createdAt'>): void {
    const { id, sessionId, number, agent, origin, createdAt } = launch
    this.#insert.run(id, sessionId, number, agent, origin, createdAt)
  }

  setState(id: string, state: Exclude<LaunchState, 'ended'>, at: number): void {
    this.#start.run(state, at, id)
  }

  advance(id: string, records: number, position: number): void {
    this.#advance.run(records, position, id)
  }

  end(id: string, at: number, result: LaunchResult | null): void {
    this.#end.run(at, result === null ? null : JSON.stringify(result), id)
  }

  get(id: string): LaunchRow | null {
    const row = this.#get.get(id)
    return row ? read(row) : null
  }

  /** Those that have not ended, oldest first. */
  open(): LaunchRow[] {
    return this.#open.all().map(read)
  }

  /** Newest first. */
  list(filter: { sessionId?: string; agent?: string; limit: number }): LaunchRow[] {
    return this.#list.all(filter.sessionId ?? null, filter.agent ?? null, filter.limit).map(read)
  }
}

const STATES: readonly LaunchState[] = ['queued', 'starting', 'running', 'ended']
const ORIGINS: readonly LaunchOrigin[] = ['spawn', 'native', 'replay', 'fresh']

/** Null also for one that is damaged: the rest of the row still counts. */
function parseResult(text: unknown): LaunchResult | null {
  if (typeof text !== 'string') return null
  try {
    const result: LaunchResult | null = JSON.parse(text)
    return isRecord(result) ? result : null
  } catch {
    return null
  }
}

function read(row: JsonRecord): LaunchRow {
  const result = parseResult(row.result)
  return {
    id: asString(row.id) ?? '',
    sessionId: asString(row.session_id) ?? '',
    number: asNumber(row.number) ?? 0,
    agent: asString(row.agent) ?? '',
    state: STATES.find((one) => one === row.state) ?? 'ended',
    origin: ORIGINS.find((one) => one === row.origin) ?? 'spawn',
    createdAt: asNumber(row.created_at) ?? 0,
    startedAt: asNumber(row.started_at) ?? null,
    endedAt: asNumber(row.ended_at) ?? null,
    records: asNumber(row.records) ?? 0,
    position: asNumber(row.position) ?? 0,
    result,
  }
}

export function runInfo(row: LaunchRow): RunInfo {
  const { id, sessionId, number, agent, state, origin, createdAt, startedAt, endedAt, records, result } = row
  return {
    ...{ id, sessionId, agent, state, origin, createdAt, startedAt, endedAt, records },
    launch: number,
    result: result?.result ?? null,
  }
}
