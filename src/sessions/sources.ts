import { existsSync, statSync } from 'node:fs'
import type { AgentName } from '../contract/names.ts'
import type { SessionWarning } from '../contract/session-manager.ts'
import type { SessionFiles, SessionReading, SessionTables } from '../contract/session-store.ts'
import { readingOf } from '../core/session-reading.ts'
import { readLines } from '../files/read-lines.ts'
import { openReadOnly, type ReadOnlyDatabase } from '../files/sqlite.ts'
import { walkFiles } from '../files/walk.ts'
import type { ForeignStore, KnownStore } from './host.ts'
import { readLog } from './read-log.ts'

/** What is known of a source from an earlier reading. */
export interface KnownSource {
  id: number
  stamp: string
  marks: string
  position: number
  reader: number
  state: string
}

/** A source as it was found, before it is read. */
export interface FoundSource {
  path: string
  /** Changes whenever the source does. */
  stamp: string
  /** When it was last written to: a session in it was not at work later. */
  touchedAt: number
  born: number
  /** Of a sub-agent's file. */
  parentId?: string
  /** With what is known of it; null when it is new. */
  read(known: KnownSource | null): Promise<SourceReading> | SourceReading
}

export interface SourceReading extends SessionReading {
  /** What was known before is still true, and `usage` only what is new. */
  continues: boolean
  marks: string
  position: number
  reader: number
  state: string
}

export interface Discovery {
  agent: AgentName
  sources: FoundSource[]
  warnings: SessionWarning[]
  /** Below these nothing could be looked at, so that a missing file is not a deleted one. */
  unseen: string[]
  close(): void
}

/** For a source that is read from its start each time: raised when the reading of such sources changes. */
const WHOLE_READER = 1

const whole = (reading: SessionReading): SourceReading => ({
  ...reading,
  continues: false,
  marks: '',
  position: 0,
  reader: WHOLE_READER,
  state: '',
})

function warning(agent: AgentName, path: string, error: unknown): SessionWarning {
  return { agent, path, message: error instanceof Error ? error.message : String(error) }
}

/** Everything that there is of one agent, without reading it. */
export async function discover(store: KnownStore | ForeignStore): Promise<Discovery> {
  const found: Discovery = { agent: store.agent, sources: [], warnings: [], unseen: [], close: () => {} }
  try {
    if ('files' in store) await findForeign(store, found)
    else if (existsSync(store.path)) {
      const sessions = await store.load()
      if ('isSession' in sessions) findFiles(store.path, sessions, found)
      else await findTables(store.path, sessions, found)
    }
  } catch (error) {
    const path = 'path' in store ? store.path : ''
    found.warnings.push(warning(store.agent, path, error))
    found.unseen.push(path)
  }
  return found
}

interface FileStamp {
  stamp: string
  touchedAt: number
  born: number
}

/** Device, inode, size and time of change: another file under the same name has another stamp. */
function stampOf(path: string): FileStamp | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return null
  const { dev, ino, size, mtimeMs, birthtimeMs } = stats
  return { stamp: `${dev}:${ino}:${size}:${mtimeMs}`, touchedAt: mtimeMs, born: birthtimeMs }
}

function findFiles(directory: string, sessions: SessionFiles, found: Discovery): void {
  const accept = (relative: string) => sessions.isSession(relative) || sessions.parentOf?.(relative) !== undefined
  const { files, unreadable } = walkFiles(directory, accept)
  for (const path of unreadable) found.warnings.push(warning(found.agent, path, 'This folder cannot be read'))
  found.unseen.push(...unreadable)
  for (const { path, relative } of files) {
    const stamps = [path, ...(sessions.beside?.(path) ?? [])].map(stampOf)
    const [own] = stamps
    if (!own) continue
    const { log } = sessions
    found.sources.push({
      path,
      ...own,
      stamp: stamps.map((one) => one?.stamp ?? '').join(' '),
      parentId: sessions.parentOf?.(relative),
      read: (known) =>
        log
          ? readLog(path, log, known)
          : sessions.read(readLines(path), path).then((session) => whole(readingOf(session))),
    })
  }
}

async function findTables(file: string, sessions: SessionTables, found: Discovery): Promise<void> {
  const database = await openReadOnly(file)
  found.close = () => database.close()
  const born = statSync(file).birthtimeMs
  for (const { id, stamp, touchedAt } of stampsOf(database, sessions, file)) {
    const read = (): SourceReading => {
      const reading = sessions.reading?.(database, id)
      if (reading) return whole(reading)
      const session = sessions.read(database, id)
      if (!session) throw new Error(`There is no session ${id} in it any more`)
      return whole(readingOf(session))
    }
    found.sources.push({ path: `${file}#${id}`, stamp, touchedAt, born, read })
  }
}

function stampsOf(database: ReadOnlyDatabase, sessions: SessionTables, file: string) {
  if (sessions.stamps) return sessions.stamps(database)
  const files = [file, `${file}-wal`].map(stampOf)
  const stamp = files.map((one) => one?.stamp ?? '').join(' ')
  const touchedAt = Math.max(...files.map((one) => one?.touchedAt ?? 0))
  return sessions.list(database).map((id) => ({ id, stamp, touchedAt }))
}

async function findForeign(store: ForeignStore, found: Discovery): Promise<void> {
  for (const path of await store.files()) {
    const own = stampOf(path)
    if (own) found.sources.push({ path, ...own, read: async () => whole(readingOf(await store.parse(path))) })
  }
}
