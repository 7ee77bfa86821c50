import { existsSync, statSync } from 'node:fs'
import type { AgentName } from '../contract/names.ts'
import type { SessionWarning } from '../contract/session-manager.ts'
import type { SessionFiles, SessionReading, SessionTables } from '../contract/session-store.ts'
import type { Session } from '../contract/sessions.ts'
import { readJson } from '../files/read-json.ts'
import { readLines } from '../files/read-lines.ts'
import { openReadOnly, type ReadOnlyDatabase } from '../files/sqlite.ts'
import { walkFiles } from '../files/walk.ts'
import type { ForeignStore, KnownStore } from './host.ts'
import { readLog } from './read-log.ts'
import { readWindow } from './read-window.ts'
import { readingOf } from './session-reading.ts'
import { wordsOf } from './session-words.ts'

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
  /** The files that the stamp is made of. */
  files: readonly string[]
  /** When it was last written to: a session in it was not at work later. */
  touchedAt: number
  born: number
  /** Of a sub-agent's file. */
  parentId?: string
  /** With what is known of it; null when it is new. */
  read(known: KnownSource | null): Promise<SourceReading> | SourceReading
  /** What was said in it after `from`, a place up to which it is known, as far as `to`; or less of it. */
  text(from: number, to: number): Promise<SourceText>
}

export interface SourceText {
  words: string[]
  /** How far the words go. */
  position: number
  /** False when they are all the words there are, and what was known before is to be forgotten. */
  continues: boolean
}

export interface SourceReading extends SessionReading {
  /** What was known before is still true, and `usage` only what is new. */
  continues: boolean
  /** Bytes of lines that are too long to be read. */
  leftOut: number
  marks: string
  position: number
  reader: number
  state: string
}

export interface Discovery {
  agent: AgentName
  sources: FoundSource[]
  warnings: SessionWarning[]
  /** Below these nothing was looked at, so that a missing source is not a deleted one. */
  unseen: string[]
  /** Of a database: what it looked like when its sessions were listed. */
  store?: { path: string; stamp: string }
  close(): void
}

/** For a source that is read from its start each time: raised when the reading of such sources changes. */
const WHOLE_READER = 2

const whole = (reading: SessionReading): SourceReading => ({
  ...reading,
  continues: false,
  leftOut: 0,
  marks: '',
  position: 0,
  reader: WHOLE_READER,
  state: '',
})

function warning(agent: AgentName, path: string, error: unknown): SessionWarning {
  return { agent, path, message: error instanceof Error ? error.message : String(error) }
}

/** A document beyond this would need all memory to be read at once. */
const MOST_WHOLE = 64 << 20

/** The lines of a document that has to be read whole. */
function wholeLines(path: string): AsyncGenerator<string> {
  const size = statSync(path).size
  if (size > MOST_WHOLE) throw new Error(`It is too large to be read whole: ${Math.round(size / 1e6)} MB`)
  return readLines(path)
}

/** Everything that there is of one agent, without reading it. A database that is as it was is not even opened. */
export async function discover(
  store: KnownStore | ForeignStore,
  isUnchanged: (path: string, stamp: string) => boolean,
): Promise<Discovery> {
  const found: Discovery = { agent: store.agent, sources: [], warnings: [], unseen: [], close: () => {} }
  try {
    if ('files' in store) await findForeign(store, found)
    else if (existsSync(store.path)) {
      const sessions = await store.load()
      if ('isSession' in sessions) findFiles(store.path, sessions, found)
      else await findTables(store.path, sessions, found, isUnchanged)
    }
  } catch (error) {
    const path = 'path' in store ? store.path : ''
    found.warnings.push(warning(store.agent, path, error))
    found.unseen.push(path)
  }
  return found
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Most agents name the file after the session, which then needs no index to be found. Null when that does not give exactly one.
 */
export async function pathByName(store: KnownStore, sessionId: string): Promise<string | null> {
  if (!UUID.test(sessionId) || !existsSync(store.path)) return null
  const sessions = await store.load()
  if (!('isSession' in sessions)) return null
  // A folder that is named after another session holds what belongs to that one.
  const isOther = (folder: string) => folder !== sessionId && UUID.test(folder)
  const isNamed = (path: string) => path.includes(sessionId) && sessions.isSession(path)
  const { files } = walkFiles(store.path, isNamed, (folder) => !isOther(folder))
  const [found, ...others] = files
  return found && others.length === 0 ? found.path : null
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

/** What may not be looked at is named, and was not deleted; a name that is not UTF-8 cannot even be said. */
function stampsOf(paths: readonly string[], found: Discovery): (FileStamp | null)[] {
  try {
    const stamps = paths.map(stampOf)
    const [path = ''] = paths
    if (!stamps[0] && path.includes('\ufffd')) found.warnings.push(warning(found.agent, path, 'Its name is not UTF-8'))
    return stamps
  } catch (error) {
    found.warnings.push(warning(found.agent, paths[0] ?? '', error))
    found.unseen.push(paths[0] ?? '')
    return []
  }
}

function findFiles(directory: string, sessions: SessionFiles, found: Discovery): void {
  const accept = (relative: string) => sessions.isSession(relative) || sessions.parentOf?.(relative) !== undefined
  const { files, unreadable } = walkFiles(directory, accept)
  for (const path of unreadable) found.warnings.push(warning(found.agent, path, 'This folder cannot be read'))
  found.unseen.push(...unreadable)
  for (const { path, relative } of files) {
    const all = [path, ...(sessions.beside?.paths(path) ?? [])]
    const stamps = stampsOf(all, found)
    const [own] = stamps
    if (!own) continue
    found.sources.push({
      path,
      files: all,
      ...own,
      stamp: stamps.map((one) => one?.stamp ?? '').join(' '),
      parentId: sessions.parentOf?.(relative),
      read: (known) => readFile(path, sessions, known),
      text: (from, to) => readText(path, sessions, from, to),
    })
  }
}

async function readFile(path: string, sessions: SessionFiles, known: KnownSource | null): Promise<SourceReading> {
  const { log, beside } = sessions
  const reading = log ? readLog(path, log, known) : whole(readingOf(await sessions.read(wholeLines(path), path)))
  if (!beside) return reading
  const files = await Promise.all(beside.paths(path).map(async (one) => (await readJson(one)) ?? {}))
  return { ...reading, usage: [...reading.usage, ...beside.read(reading.facts, files)] }
}

async function readText(path: string, sessions: SessionFiles, from: number, to: number): Promise<SourceText> {
  if (!sessions.log) return wholeText(await sessions.read(wholeLines(path), path))
  const { lines, position } = readWindow(path, from, to)
  const session = await sessions.read(iterate(lines), path)
  return { words: wordsOf(session), position, continues: from > 0 }
}

async function* iterate(lines: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* lines
}

function wholeText(session: Session): SourceText {
  return { words: wordsOf(session), position: 0, continues: false }
}

async function findTables(
  file: string,
  sessions: SessionTables,
  found: Discovery,
  isUnchanged: (path: string, stamp: string) => boolean,
): Promise<void> {
  if (!statSync(file).isFile()) throw new Error('It is not a file')
  const own = stampOf(file)
  const log = stampOf(`${file}-wal`)
  const stamp = `${own?.stamp} ${log?.stamp}`
  if (isUnchanged(file, stamp)) {
    found.unseen.push(file)
    return
  }
  const database = await openReadOnly(file)
  found.close = () => database.close()
  found.store = { path: file, stamp }
  const touchedAt = Math.max(own?.touchedAt ?? 0, log?.touchedAt ?? 0)
  const all = sessions.stamps?.(database) ?? sessions.list(database).map((id) => ({ id, stamp, touchedAt }))
  for (const one of all) {
    const read = () => whole(readTables(database, sessions, one.id))
    const text = async () => wholeText(sessionIn(database, sessions, one.id))
    const files = [file, `${file}-wal`]
    found.sources.push({ ...one, path: `${file}#${one.id}`, files, born: own?.born ?? 0, read, text })
  }
}

function sessionIn(database: ReadOnlyDatabase, sessions: SessionTables, id: string): Session {
  const session = sessions.read(database, id)
  if (session) return session
  throw new Error(`There is no session ${id} in it any more`)
}

function readTables(database: ReadOnlyDatabase, sessions: SessionTables, id: string): SessionReading {
  return sessions.reading?.(database, id) ?? readingOf(sessionIn(database, sessions, id))
}

async function findForeign(store: ForeignStore, found: Discovery): Promise<void> {
  for (const path of await store.files()) {
    const own = stampOf(path)
    if (!own) continue
    const read = async () => whole(readingOf(await store.parse(path)))
    found.sources.push({ path, files: [path], ...own, read, text: async () => wholeText(await store.parse(path)) })
  }
}
