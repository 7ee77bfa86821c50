import { closeSync, existsSync, openSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { AgentMuxError } from '../contract/errors.ts'
import { asRecord, isRecord, type JsonRecord } from '../core/json.ts'

/** A database that can only be looked at. */
export interface ReadOnlyDatabase {
  all(sql: string, ...params: (string | number)[]): Record<string, unknown>[]
  close(): void
}

export type SqlValue = string | number | bigint | null | Uint8Array

/** Prepared once, run often. Rows come as records of their columns. */
export interface Statement {
  run(...params: SqlValue[]): { changes: number; lastInsertRowid: number }
  get(...params: SqlValue[]): JsonRecord | undefined
  all(...params: SqlValue[]): JsonRecord[]
}

/** A database of our own. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  /** All of it or nothing. The write lock is taken at once, so that a reader never has to become a writer midway. */
  transaction<T>(work: () => T): T
  close(): void
}

/** The part of `node:sqlite` that is used here; `@photostructure/sqlite` has the same. */
interface Sqlite {
  DatabaseSync: new (
    path: URL | string,
    options?: { readOnly?: boolean },
  ) => {
    exec(sql: string): void
    prepare(sql: string): {
      run(...params: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
      get(...params: SqlValue[]): unknown
      all(...params: SqlValue[]): unknown[]
    }
    close(): void
  }
}

function isSqlite(module: unknown): module is Sqlite {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module
}

// The package first: Node's own module is missing in Node 20, and where it is not, loading it prints a warning.
const MODULES = ['@photostructure/sqlite', 'node:sqlite']

async function loadSqlite(): Promise<Sqlite> {
  for (const name of MODULES) {
    const module: unknown = await import(name).catch(() => null)
    if (isSqlite(module)) return module
  }
  throw new AgentMuxError('CONFIG_ERROR', 'SQLite is needed here, and this Node has none', {
    hint: 'Use Node 22.13 or newer, or install @photostructure/sqlite.',
  })
}

/**
 * Opens a database of somebody else, who may be writing to it. With a write-ahead log the usual reading locks are
 * taken; without one nobody has it open, and it is read without the files that a lock would leave behind.
 */
export async function openReadOnly(path: string): Promise<ReadOnlyDatabase> {
  const { DatabaseSync } = await loadSqlite()
  const url = pathToFileURL(path)
  url.search = existsSync(`${path}-wal`) ? 'mode=ro' : 'mode=ro&immutable=1'
  const database = new DatabaseSync(url, { readOnly: true })
  return {
    all: (sql, ...params) =>
      database
        .prepare(sql)
        .all(...params)
        .filter(isRecord),
    close: () => database.close(),
  }
}

/** All of it in the one file: who copies that file alone, or moves it, has everything. */
function closeWhole(database: InstanceType<Sqlite['DatabaseSync']>): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Another process reads it, or the disk is full: then the log stays, and nothing is lost.
  }
  database.close()
}

const BUSY_MS = 5000
/** The commit that finds the log grown to this waits for the disk, so it is not to be too often. 16 MB. */
const CHECKPOINT_PAGES = 4000

/**
 * SQLite itself would let others read a new database; its other files take over the mode. One that is there is not
 * opened: closing it again would take away the locks of every connection that this process has to it.
 */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

/**
 * Opens or makes a database of ours: write-ahead log, so that readers and one writer do not wait for each other.
 * A killed process loses nothing that was committed; a power cut may take back the last commits, never half of one.
 */
export async function openWritable(path: string, { busyMs = BUSY_MS } = {}): Promise<Database> {
  const { DatabaseSync } = await loadSqlite()
  createPrivate(path)
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
  } catch (error) {
    database.close()
    throw error
  }
  database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  const transaction = <T>(work: () => T): T => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      database.exec('COMMIT')
      return result
    } catch (error) {
      rollBack()
      throw error
    }
  }
  // A full disk makes SQLite roll back by itself, and then there is nothing left to roll back.
  const rollBack = () => {
    try {
      database.exec('ROLLBACK')
    } catch {}
  }
  const prepare = (sql: string): Statement => {
    const statement = database.prepare(sql)
    return {
      run(...params) {
        const { changes, lastInsertRowid } = statement.run(...params)
        return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
      },
      get: (...params) => asRecord(statement.get(...params)),
      all: (...params) => statement.all(...params).filter(isRecord),
    }
  }
  return { exec: (sql) => database.exec(sql), prepare, transaction, close: () => closeWhole(database) }
}
