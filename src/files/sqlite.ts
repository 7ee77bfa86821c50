import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { AgentMuxError } from '../contract/errors.ts'
import { isRecord } from '../core/json.ts'

/** A database that can only be looked at. */
export interface ReadOnlyDatabase {
  all(sql: string, ...params: (string | number)[]): Record<string, unknown>[]
  close(): void
}

/** The part of `node:sqlite` that is used here; `@photostructure/sqlite` has the same. */
interface Sqlite {
  DatabaseSync: new (
    path: URL,
    options: { readOnly: boolean },
  ) => {
    prepare(sql: string): { all(...params: (string | number)[]): unknown[] }
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
  throw new AgentMuxError('CONFIG_ERROR', 'This agent keeps its sessions in SQLite, which cannot be read here', {
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
