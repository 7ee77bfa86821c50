import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAgentMuxError } from '../contract/errors.ts'
import { migrate } from '../files/migrate.ts'
import { type Database, openWritable } from '../files/sqlite.ts'
import { MIGRATIONS } from './schema.ts'

const NAME = 'sessions.db'

/** In KiB: the words of a thousand sessions are more than SQLite would keep. */
const CACHE = 16_384

async function openUpToDate(path: string): Promise<Database> {
  const database = await openWritable(path)
  try {
    database.exec(`PRAGMA cache_size = -${CACHE}`)
    migrate(database, MIGRATIONS, path)
    // Damage shows on the first look at the tables, not when the file is opened.
    database.prepare('SELECT count(*) AS n FROM source').get()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite's own words for a file that is none of its databases, or no longer one. */
const DAMAGED = /malformed|not a database|corrupt|disk I\/O error|no such (table|column|index)|has no column/i

export function isDamage(error: unknown): boolean {
  return error instanceof Error && !isAgentMuxError(error) && DAMAGED.test(error.message)
}

/** A damaged index is moved aside and made anew: all that it knows is in the agents' stores. */
export async function openSessionIndex(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, NAME)
  try {
    return await openUpToDate(path)
  } catch (error) {
    if (!isDamage(error)) throw error
    return renewSessionIndex(dataDir)
  }
}

/** An empty one in the place of that which is there. */
export function renewSessionIndex(dataDir: string): Promise<Database> {
  const path = join(dataDir, NAME)
  moveAside(path)
  return openUpToDate(path)
}

function moveAside(path: string): void {
  for (const ending of ['', '-wal', '-shm']) {
    rmSync(`${path}.damaged${ending}`, { force: true })
    try {
      renameSync(`${path}${ending}`, `${path}.damaged${ending}`)
    } catch {
      // Not there, or another process has moved it: either way it is out of the way.
    }
  }
}
