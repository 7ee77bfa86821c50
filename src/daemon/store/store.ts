import { join } from 'node:path'
import { AgentMuxError, isAgentMuxError } from '../../contract/errors.ts'
import { migrate } from '../../files/migrate.ts'
import { type Database, openWritable } from '../../files/sqlite.ts'
import { ChangeLog } from './change-log.ts'
import { KeyTable } from './keys.ts'
import { LaunchTable } from './launches.ts'
import { MIGRATIONS } from './migrations.ts'
import { ParkedTable } from './parked.ts'
import { SessionTable } from './sessions.ts'
import { UsageTable } from './usage.ts'

/** The daemon's database. One process writes it: the registered daemon. */
export class Store {
  readonly sessions: SessionTable
  readonly launches: LaunchTable
  readonly changes: ChangeLog
  readonly keys: KeyTable
  readonly usage: UsageTable
  readonly parked: ParkedTable
  readonly #database: Database

  private constructor(database: Database) {
    this.#database = database
    this.sessions = new SessionTable(database)
    this.launches = new LaunchTable(database)
    this.changes = new ChangeLog(database)
    this.keys = new KeyTable(database)
    this.usage = new UsageTable(database)
    this.parked = new ParkedTable(database)
  }

  static async open(dataDir: string): Promise<Store> {
    const path = join(dataDir, 'daemon.db')
    try {
      const database = await openWritable(path)
      try {
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

  /** All of it or nothing. What it leads to is told to clients only after it is on disk. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work)
  }

  close(): void {
    this.#database.close()
  }
}

/** One that is damaged, or no database at all, is not ours to throw away: somebody may be able to mend it. */
function unusable(path: string, cause: unknown): AgentMuxError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AgentMuxError('CONFIG_ERROR', `${path} cannot be used: ${why}`, {
    hint: /not a database|malformed/.test(why)
      ? 'Move it away to begin anew. The agents, and what they keep themselves, are not touched.'
      : undefined,
    cause,
  })
}
