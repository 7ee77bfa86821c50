import type { AgentName } from '../contract/names.ts'
import type { SessionWarning } from '../contract/session-manager.ts'
import type { UsageRow } from '../contract/session-store.ts'
import type { Database } from '../files/sqlite.ts'
import { copiesOf } from './copies.ts'
import { isHelper, shareCost } from './share-cost.ts'
import type { Discovery, FoundSource, SourceReading } from './sources.ts'
import { tablesOf } from './tables.ts'

export interface RefreshProgress {
  agent: AgentName
  done: number
  total: number
}

export interface RefreshOptions {
  /** At list prices; null when there is none. */
  price(agent: AgentName, row: UsageRow): number | null
  onProgress?: (progress: RefreshProgress) => void
}

/** As many sources as are written at once: few enough that others wait for the lock only shortly. */
const BATCH = 64

interface ReadSource {
  found: FoundSource
  reading: SourceReading
  /** The stamp on which the reading builds; when another process has been faster, its reading stands. */
  knownStamp: string | undefined
}

/** Brings the index up to date with what was found. Only what has changed is read. */
export class Refresher {
  readonly #database: Database
  readonly #tables
  readonly #copies
  readonly #options: RefreshOptions

  constructor(database: Database, options: RefreshOptions) {
    this.#database = database
    this.#tables = tablesOf(database)
    this.#copies = copiesOf(database)
    this.#options = options
  }

  /** After a change of prices all is read anew. */
  expectPrices(stamp: string): void {
    if (this.#tables.note('prices') === stamp) return
    this.#database.transaction(() => {
      this.#tables.forgetReadings()
      this.#tables.putNote('prices', stamp)
    })
  }

  /** Whether a database is as it was when all of it was read. */
  isUnchanged(path: string, stamp: string): boolean {
    return this.#tables.note(`store ${path}`) === stamp
  }

  /** All of what was found has been read. */
  conclude({ store, warnings }: Discovery): void {
    if (store && warnings.length === 0 && !this.isUnchanged(store.path, store.stamp)) {
      this.#tables.putNote(`store ${store.path}`, store.stamp)
    }
  }

  /** Those that are not in the index as they are now. */
  stale({ agent, sources }: Discovery): FoundSource[] {
    const stamps = this.#tables.stamps(agent)
    return sources.filter(({ path, stamp }) => stamps.get(path)?.stamp !== stamp)
  }

  /** What could not be read, when it was last tried. */
  problems({ agent, sources }: Discovery): SessionWarning[] {
    const stamps = this.#tables.stamps(agent)
    return sources.flatMap(({ path }) => {
      const message = stamps.get(path)?.problem
      return message === undefined ? [] : [{ agent, path, message }]
    })
  }

  /** Takes out what is no longer there. */
  forget({ agent, sources, unseen }: Discovery): void {
    const there = new Set(sources.map(({ path }) => path))
    const paths = [...this.#tables.stamps(agent).keys()]
    const gone = paths.filter((path) => !there.has(path) && !unseen.some((folder) => path.startsWith(folder)))
    if (gone.length === 0) return
    this.#database.transaction(() => {
      const ids = gone.flatMap((path) => this.#tables.source(agent, path)?.id ?? [])
      const keys = this.#copies.sharedKeys(ids)
      for (const path of gone) this.#tables.drop(agent, path)
      this.#copies.settle(keys)
    })
  }

  /** Reads the given sources into the index. Those that cannot be read are told and passed by. */
  async read(agent: AgentName, sources: readonly FoundSource[]): Promise<SessionWarning[]> {
    const warnings: SessionWarning[] = []
    let batch: ReadSource[] = []
    for (const [index, found] of sources.entries()) {
      try {
        const known = this.#tables.source(agent, found.path)
        const reading = await found.read(known)
        if (found.parentId !== undefined) reading.facts.parentId = found.parentId
        batch.push({ found, reading, knownStamp: known?.stamp })
      } catch (error) {
        warnings.push({ agent, path: found.path, message: error instanceof Error ? error.message : String(error) })
      }
      // A session and the files of its sub-agents are written together.
      const isLast = index === sources.length - 1
      if (isLast || (batch.length >= BATCH && sources[index + 1]?.parentId === undefined)) {
        this.#write(agent, batch)
        batch = []
        this.#options.onProgress?.({ agent, done: index + 1, total: sources.length })
        // Lets timers and other work have their turn in a long first reading.
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    return warnings
  }

  #write(agent: AgentName, batch: readonly ReadSource[]): void {
    if (batch.length === 0) return
    this.#database.transaction(() => {
      const shared = new Set<string>()
      const ids: number[] = []
      const fresh = new Map<number, UsageRow[]>()
      const roots = new Set<string>()
      for (const { found, reading, knownStamp } of batch) {
        const known = this.#tables.source(agent, found.path)
        if (known?.stamp !== knownStamp) continue
        if (known && !reading.continues) {
          for (const key of this.#copies.sharedKeys([known.id])) shared.add(key)
          this.#tables.clear(known.id)
        }
        const id = this.#tables.putSource(agent, found, reading, problemOf(reading))
        ids.push(id)
        fresh.set(id, reading.usage)
        roots.add(reading.facts.parentId ?? reading.facts.sessionId)
      }
      for (const root of roots) this.#putUsage(agent, root, fresh)
      for (const key of this.#copies.sharedKeys(ids)) shared.add(key)
      this.#copies.settle([...shared])
    })
  }

  /** The rows of one session and its sub-agents, priced together where the agent tells a sum for all of them. */
  #putUsage(agent: AgentName, root: string, fresh: ReadonlyMap<number, UsageRow[]>): void {
    const price = (row: UsageRow) => this.#options.price(agent, row)
    const sources = this.#tables.ofRoot(agent, root)
    const main = sources.find(({ reported }) => reported.length > 0)
    if (!main) {
      for (const { id } of sources) {
        for (const row of fresh.get(id) ?? []) this.#tables.putUsage(id, row, row.costUsd ?? price(row))
      }
      return
    }
    const rows = new Map<UsageRow, number>()
    for (const { id } of sources) {
      const byKey = new Map(this.#tables.usage(id).map((row) => [row.key, row]))
      for (const row of fresh.get(id) ?? []) byKey.set(row.key, row)
      for (const row of byKey.values()) if (!isHelper(row)) rows.set(row, id)
    }
    const { costs, helpers } = shareCost(main.reported, main.reportedAt, [...rows.keys()], price)
    for (const row of helpers) rows.set(row, main.id)
    for (const [row, id] of rows) this.#tables.putUsage(id, row, row.costUsd ?? costs.get(row) ?? price(row))
  }
}

/** A file with something in it of which not one line could be understood. */
function problemOf({ facts, usage, position, continues }: SourceReading): string | null {
  const isEmpty = facts.createdAt === 0 && facts.messageCount === 0 && usage.length === 0
  return isEmpty && position > 0 && !continues ? 'Nothing in it is a session as we know it' : null
}
