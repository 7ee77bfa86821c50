import type { AgentName } from '../contract/names.ts'
import type { SessionWarning } from '../contract/session-manager.ts'
import type { SessionFacts, UsageRow } from '../contract/session-store.ts'
import type { Database } from '../files/sqlite.ts'
import { settleCopies } from './copies.ts'
import { Kind, Requests } from './requests.ts'
import { shareCost } from './share-cost.ts'
import type { Discovery, FoundSource, SourceReading } from './sources.ts'
import { type KnownStamps, tablesOf } from './tables.ts'

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
  /** The stamp on which the reading builds; when another process has been faster, its reading is kept. */
  knownStamp: string | undefined
}

type WrittenSource = Pick<ReadSource, 'found' | 'reading'> & { requests: Requests }

/** Sub-agents of sub-agents: a ring in what a file says must not hold us up. */
const MAX_DEPTH = 16

/** Brings the index up to date with what was found. Only what has changed is read. */
export class Refresher {
  readonly #database: Database
  readonly #tables
  readonly #options: RefreshOptions
  readonly #stamps = new Map<AgentName, KnownStamps>()

  constructor(database: Database, options: RefreshOptions) {
    this.#database = database
    this.#tables = tablesOf(database)
    this.#options = options
  }

  /** After a change of prices all is read again. */
  expectPrices(stamp: string): void {
    if (this.#tables.note('prices') === stamp) return
    this.#database.transaction(() => {
      this.#tables.forgetReadings()
      this.#stamps.clear()
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

  /** What the index knows of an agent's sources; asked for again only after something was written. */
  #known(agent: AgentName): KnownStamps {
    const known = this.#stamps.get(agent) ?? this.#tables.stamps(agent)
    this.#stamps.set(agent, known)
    return known
  }

  /** Those that are not in the index as they are now. */
  stale({ agent, sources }: Discovery): FoundSource[] {
    const stamps = this.#known(agent)
    return sources.filter(({ path, stamp }) => stamps.get(path)?.stamp !== stamp)
  }

  /** What could not be read, when it was last tried. */
  problems({ agent, sources }: Discovery): SessionWarning[] {
    const stamps = this.#known(agent)
    return sources.flatMap(({ path }) => {
      const message = stamps.get(path)?.problem
      return message === undefined ? [] : [{ agent, path, message }]
    })
  }

  /** Takes out what is no longer there. What was copied from it counts from now on where the copy is. */
  forget({ agent, sources, unseen }: Discovery): void {
    const there = new Set(sources.map(({ path }) => path))
    const paths = [...this.#known(agent).keys()]
    const gone = paths.filter((path) => !there.has(path) && !unseen.some((folder) => path.startsWith(folder)))
    if (gone.length === 0) return
    this.#stamps.delete(agent)
    this.#database.transaction(() => {
      for (const path of gone) this.#tables.drop(agent, path)
      this.#tables.unsettleCopies(agent)
      settleCopies(this.#database, agent)
    })
  }

  /** Reads the given sources into the index. Those that cannot be read are reported and skipped. */
  async read(agent: AgentName, sources: readonly FoundSource[]): Promise<SessionWarning[]> {
    const warnings: SessionWarning[] = []
    let batch: ReadSource[] = []
    for (const [index, found] of sources.entries()) {
      const known = this.#tables.source(agent, found.path)
      try {
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
    // Also after an earlier process that was ended before it came to this.
    if (this.#tables.isUnsettled(agent)) this.#database.transaction(() => settleCopies(this.#database, agent))
    return warnings
  }

  #write(agent: AgentName, batch: readonly ReadSource[]): void {
    this.#stamps.delete(agent)
    this.#database.transaction(() => {
      const byRoot = new Map<string, WrittenSource[]>()
      for (const { found, reading, knownStamp } of batch) {
        const known = this.#tables.source(agent, found.path)
        if (known?.stamp !== knownStamp) continue
        const root = this.#rootOf(agent, reading.facts)
        const requests = reading.continues ? this.#tables.requests(agent, found.path) : new Requests()
        requests.add(reading.usage, (row) => this.#options.price(agent, row))
        if (known && !reading.continues) {
          this.#tables.forgetText(known.id)
          this.#tables.unsettleCopies(agent)
        }
        const written = byRoot.get(root)
        if (written) written.push({ found, reading, requests })
        else byRoot.set(root, [{ found, reading, requests }])
      }
      for (const [root, sources] of byRoot) this.#writeSession(agent, root, sources)
    })
  }

  /** The session that a chain of sub-agents works for. What has been found to work for this one does so, too. */
  #rootOf(agent: AgentName, { sessionId, parentId }: SessionFacts): string {
    if (parentId === undefined) return sessionId
    let root = parentId
    for (let steps = 0; steps < MAX_DEPTH; steps++) {
      const above = this.#tables.parentOf(agent, root)
      if (above === undefined) break
      root = above
    }
    this.#tables.moveRoot(agent, sessionId, root)
    return root
  }

  /** A session and its sub-agents have their costs together where the agent reports a sum for all of them. */
  #writeSession(agent: AgentName, root: string, written: readonly WrittenSource[]): void {
    const paths = new Set(written.map(({ found }) => found.path))
    const others = this.#tables.ofRoot(agent, root).filter(({ path }) => !paths.has(path))
    const summed = written.find(({ reading }) => reading.facts.reported !== undefined)
    const main = summed
      ? { ...summed, reported: summed.reading.facts.reported ?? [], reportedAt: summed.reading.facts.reportedAt ?? 0 }
      : others.find(({ reported }) => reported.length > 0)
    if (main) {
      main.requests.dropHelpers()
      const all = [...written, ...others].map(({ requests }) => requests)
      const price = (row: UsageRow) => this.#options.price(agent, row)
      main.requests.add(shareCost(main.reported, main.reportedAt, all, price), price, Kind.helper)
      for (const { id, requests } of others) this.#tables.putRequests(id, requests, false)
    }
    for (const { found, reading, requests } of written) {
      this.#tables.put(agent, found, reading, root, requests, problemOf(reading))
    }
  }
}

/** A file with something in it of which not one line could be understood. */
function problemOf({ facts, usage, position, continues, leftOut }: SourceReading): string | null {
  if (leftOut > 0) return `${Math.ceil(leftOut / 1e6)} MB of it were left out: no line of a session is that long`
  const isEmpty = facts.createdAt === 0 && facts.messageCount === 0 && usage.length === 0
  return isEmpty && position > 0 && !continues ? 'Nothing in it is a session as we know it' : null
}
