import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, versionOf } from '../files/migrate.ts'
import { type Database, openWritable } from '../files/sqlite.ts'
import { IndexDamage, isDamage } from './index-damage.ts'
import { MIGRATIONS } from './schema.ts'

/** An open index, and the file that it is in. */
export interface SessionIndex {
  database: Database
  path: string
  inode: number
}

/** In KiB: the words of a thousand sessions are more than SQLite would keep. */
const CACHE = 16_384
/** Another process that reads thousands of sessions holds the lock for a moment each time. */
const BUSY_MS = 20_000

/** Null when a newer agent-mux has made it. */
async function openUpToDate(path: string): Promise<SessionIndex | null> {
  const database = await openWritable(path, { busyMs: BUSY_MS })
  try {
    database.exec(`PRAGMA cache_size = -${CACHE}`)
    if (versionOf(database) > MIGRATIONS.length) {
      database.close()
      return null
    }
    migrate(database, MIGRATIONS, path)
    // Damage shows on the first look at the tables, not when the file is opened.
    database.prepare('SELECT count(*) AS n FROM source').get()
    return { database, path, inode: inodeOf(path) }
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * A damaged index is moved aside and rebuilt: everything in it comes from the agents' stores. One of a newer agent-mux
 * is left alone, and ours is created beside it.
 */
export async function openSessionIndex(dataDir: string): Promise<SessionIndex> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  for (const name of ['sessions.db', `sessions-${MIGRATIONS.length}.db`]) {
    const index = await openOrRenew(join(dataDir, name))
    if (index) return index
  }
  throw new IndexDamage('Only a newer agent-mux can have made this index, and it would not have given it our name')
}

async function openOrRenew(path: string): Promise<SessionIndex | null> {
  const inode = inodeOf(path)
  try {
    return await openUpToDate(path)
  } catch (error) {
    if (!isDamage(error)) throw error
    moveAside(path, inode)
    return openUpToDate(path)
  }
}

/** An empty one in the place of one in which damage has shown. */
export function renewSessionIndex(dataDir: string, { path, inode }: SessionIndex): Promise<SessionIndex> {
  moveAside(path, inode)
  return openSessionIndex(dataDir)
}

/** 0 when there is no such file. */
function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0
}

/** Unless another file is there by now, which another process has made. */
function moveAside(path: string, inode: number): void {
  if (inodeOf(path) !== inode) return
  for (const ending of ['', '-wal', '-shm']) {
    rmSync(`${path}.damaged${ending}`, { force: true })
    try {
      renameSync(`${path}${ending}`, `${path}.damaged${ending}`)
    } catch {
      // Not there, or another process has moved it: either way it is out of the way.
    }
  }
}
