import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SessionFacts, UsageRow, UsageSource } from '../contract/session-store.ts'
import { DirectoryWatch } from '../files/directory-watch.ts'
import type { KnownStore } from './host.ts'
import { discover, type FoundSource, type KnownSource } from './sources.ts'

/** How often a store of files is searched for new ones; those that are known are looked at each time. */
const SEARCH_MS = 2000
/** Clocks of files and of processes differ by a little. */
const SLACK_MS = 1000
const MAX_DEPTH = 16

interface Source {
  found: FoundSource
  /** What its file looked like when it was read. */
  stamp: string
  known: KnownSource
  facts: SessionFacts
  rows: Map<string, UsageRow>
}

/** What one session and its sub-agents have used, read from the agent's store again and again while it is at work. */
export class SessionUsage implements UsageSource {
  readonly #store: KnownStore
  readonly #cwd: string
  readonly #since: number
  readonly #sources = new Map<string, Source>()
  #watch: DirectoryWatch | null = null
  #searchedAt = 0
  #databaseStamp = ''

  constructor(store: KnownStore, cwd: string, since: number) {
    this.#store = store
    this.#cwd = realPath(cwd)
    this.#since = since - SLACK_MS
  }

  /** `null`: the agent does not name its session. It is then the only one that has begun in this directory since. */
  async rows(sessionId: string | null): Promise<readonly UsageRow[]> {
    await this.#update(sessionId)
    const sources = [...this.#sources.values()]
    const root = sessionId ?? this.#onlyNew(sources)
    if (root === undefined) return []
    return sources.filter((one) => this.#rootOf(one.facts) === root).flatMap(({ rows }) => [...rows.values()])
  }

  async turns(sessionId: string): Promise<number | null> {
    await this.#update(sessionId)
    const counts = [...this.#sources.values()].flatMap(({ facts }) =>
      facts.sessionId === sessionId ? [facts.turnCount] : [],
    )
    return counts.length > 0 ? Math.max(...counts) : null
  }

  onChange(listener: () => void): () => void {
    const watch = new DirectoryWatch(listener)
    this.#watch = watch
    for (const { found } of this.#sources.values()) watchFiles(watch, found)
    return () => watch.close()
  }

  async #update(sessionId: string | null): Promise<void> {
    const sources = [...this.#sources.values()]
    const root = sessionId ?? this.#onlyNew(sources)
    const isKnown = sources.some(({ facts }) => facts.sessionId === root)
    if (isKnown && Date.now() - this.#searchedAt < SEARCH_MS && !this.#databaseStamp) {
      for (const { found } of this.#sources.values()) await this.#read(found)
      return
    }
    this.#searchedAt = Date.now()
    const discovery = await discover(this.#store, (_path, stamp) => stamp === this.#databaseStamp)
    try {
      for (const found of discovery.sources) {
        if (found.touchedAt >= this.#since || isNamed(found, sessionId)) await this.#read(found)
      }
      this.#databaseStamp = discovery.store?.stamp ?? this.#databaseStamp
    } finally {
      discovery.close()
    }
  }

  async #read(found: FoundSource): Promise<void> {
    if (this.#watch) watchFiles(this.#watch, found)
    const before = this.#sources.get(found.path)
    const stamp = stampOf(found)
    if (before?.stamp === stamp) return
    const reading = await found.read(before?.known ?? null)
    const { facts, marks, position, reader, state } = reading
    if (found.parentId !== undefined) facts.parentId = found.parentId
    const rows = before && reading.continues ? before.rows : new Map<string, UsageRow>()
    for (const row of reading.usage) rows.set(row.key, row)
    this.#sources.set(found.path, {
      found,
      stamp,
      facts,
      rows,
      known: { id: 0, stamp, marks, position, reader, state },
    })
  }

  #rootOf({ sessionId, parentId }: SessionFacts): string {
    let [root, above] = [sessionId, parentId]
    for (let depth = 0; above !== undefined && depth < MAX_DEPTH; depth++) {
      root = above
      const parent = [...this.#sources.values()].find(({ facts }) => facts.sessionId === root)
      above = parent?.facts.parentId
    }
    return root
  }

  #onlyNew(sources: readonly Source[]): string | undefined {
    const own = sources.filter(
      ({ facts: { parentId, createdAt, cwd } }) =>
        parentId === undefined && createdAt >= this.#since && (cwd === undefined || realPath(cwd) === this.#cwd),
    )
    return own.length === 1 ? own[0]?.facts.sessionId : undefined
  }
}

/** Some agents put only the first part of the id into the name. */
function isNamed({ path }: FoundSource, sessionId: string | null): boolean {
  return sessionId !== null && path.includes(sessionId.slice(0, 8))
}

/** As it is now, which may be later than when it was found. A session in a database has a stamp of its own. */
function stampOf({ path, files, stamp }: FoundSource): string {
  if (files[0] !== path) return stamp
  const stats = files.map((file) => statSync(file, { throwIfNoEntry: false }))
  return stats.map((one) => (one ? `${one.ino}:${one.size}:${one.mtimeMs}` : '')).join(' ')
}

function watchFiles(watch: DirectoryWatch, { files }: FoundSource): void {
  for (const file of files) watch.add(dirname(file))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
