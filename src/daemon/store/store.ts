import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AgentMuxError, isAgentMuxError } from '../../contract/errors.ts'
import { migrate } from '../../files/migrate.ts'
import { type Database, openWritable } from '../../files/sqlite.ts'
import { damagedDatabase, isDamage } from '../storage-trouble.ts'
import { AboutTable } from './about.ts'
import { ChangeLog } from './change-log.ts'
import { KeyTable } from './keys.ts'
import { LaunchTable } from './launches.ts'
import { MIGRATIONS } from './migrations.ts'
import { ParkedTable } from './parked.ts'
import { SessionTable } from './sessions.ts'
import { UsageTable } from './usage.ts'

/** Looking through more than this would hold up every start. */
const MAX_CHECKED_BYTES = 256 * 1024 * 1024

/** Throws as SQLite does for a damaged page, when one is found. It may be one that is read only much later. */
function requireWhole(database: Database): void {
  const value = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]
  if (Number(value('page_count')) * Number(value('page_size')) > MAX_CHECKED_BYTES) return
  const found = value('quick_check(1)')
  if (found !== 'ok') throw new Error(`malformed: ${found}`)
}

/**
 * An empty file is an empty database for SQLite, and what it held would be forgotten without a word: agents that run
 * would belong to nobody. It is what a full disk or a power cut leaves; one that was just being made has no launches.
 */
function requireContent(path: string, dataDir: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return
  const launches = join(dataDir, 'launches')
  if (existsSync(launches) && readdirSync(launches).length > 0) throw new Error('malformed: the file is empty')
}

/** The daemon's database. One process writes it: the registered daemon. */
export class Store {
  readonly sessions: SessionTable
  readonly launches: LaunchTable
  readonly changes: ChangeLog
  readonly keys: KeyTable
  readonly usage: UsageTable
  readonly parked: ParkedTable
  readonly about: AboutTable
  readonly #database: Database

  private constructor(database: Database) {
    this.#database = database
    this.sessions = new SessionTable(database)
    this.launches = new LaunchTable(database)
    this.changes = new ChangeLog(database)
    this.keys = new KeyTable(database)
    this.usage = new UsageTable(database)
    this.parked = new ParkedTable(database)
    this.about = new AboutTable(database)
  }

  static async open(dataDir: string): Promise<Store> {
    const path = join(dataDir, 'daemon.db')
    try {
      requireContent(path, dataDir)
      const database = await openWritable(path)
      try {
        requireWhole(database)
        migrate(database, MIGRATIONS, 'daemon.db')
        return new Store(database)
      } catch (error) {
        database.close()
        throw error
      }
    } catch (error) {
      throw isAgentMuxError(error) ? error : unusable(path, error)
    }
  }

  /** All of it or nothing. What it leads to is reported to clients only after it is on disk. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work)
  }

  close(): void {
    this.#database.close()
  }
}

function unusable(path: string, cause: unknown): AgentMuxError {
  // A table that is missing, or there before it is made: not the schema that its version says.
  const isOtherSchema =
    cause instanceof Error && /no such (table|column)|already exists|duplicate column/.test(cause.message)
  if (isDamage(cause) || isOtherSchema) return damagedDatabase(path, cause)
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AgentMuxError('CONFIG_ERROR', `${path} cannot be used: ${why}`, { cause })
}
