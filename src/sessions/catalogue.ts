import { AgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type {
  CostQuery,
  CostSummary,
  RefreshOptions,
  SessionListOptions,
  SessionManager,
  SessionSearchOptions,
  SessionWarning,
} from '../contract/session-manager.ts'
import type { Session, SessionSummary } from '../contract/sessions.ts'
import type { Database } from '../files/sqlite.ts'
import { sumCost } from './cost.ts'
import { type Condition, sessionsThat } from './filter.ts'
import type { SessionHost } from './host.ts'
import { isDamage } from './index-damage.ts'
import { type OwnRuns, readOwnRuns } from './own-runs.ts'
import { Refresher } from './refresh.ts'
import { searchSessions } from './search.ts'
import { openSessionIndex, renewSessionIndex, type SessionIndex } from './session-index.ts'
import { type SessionName, sessionsNamed } from './session-names.ts'
import { type Discovery, discover, type FoundSource, pathByName } from './sources.ts'
import { listSummaries } from './summaries.ts'
import { number, text } from './tables.ts'
import { TextIndex } from './text-index.ts'
import { splitUnifiedId, unifiedId } from './unified-id.ts'

/** The part of the session manager that is about what there is: lists, sessions, sums. */
export interface Catalogue extends Pick<SessionManager, 'get' | 'refresh' | 'warnings' | 'close'> {
  list(agent?: AgentName | null, options?: SessionListOptions<number>): Promise<SessionSummary[]>
  search(options: SessionSearchOptions<number>): Promise<SessionSummary[]>
  totalCost(query?: CostQuery<number>): Promise<CostSummary>
  locate(agent: AgentName, sessionId: string): Promise<string>
  matching(id: string, limit: number): Promise<SessionName[]>
}

export class SessionCatalogue implements Catalogue {
  readonly #host: SessionHost
  #index: Promise<SessionIndex> | null = null
  #warnings: SessionWarning[] = []

  constructor(host: SessionHost) {
    this.#host = host
  }

  get warnings(): readonly SessionWarning[] {
    return this.#warnings
  }

  async list(agent?: AgentName | null, options: SessionListOptions<number> = {}): Promise<SessionSummary[]> {
    const owner = agent ? this.#host.ownerOf(agent) : null
    return this.#withStores(owner, async (database, discoveries, refresher) => {
      const runs = await this.#runs()
      const condition = sessionsThat(owner, { ...options, tagged: runs.tagged(options.tags) })
      const isComplete = await this.#readAsNeeded(database, discoveries, refresher, condition, options)
      const rows = listSummaries(database, condition, options)
      return rows.map(({ cost, costSource, tokenUsage, ...row }) => {
        const spent = isComplete ? { ...(cost ? { cost } : {}), costSource, tokenUsage } : {}
        return { ...row, tags: runs.tagsOf(row.unifiedId), ...as(agent, row), ...spent }
      })
    })
  }

  async get(agent: AgentName, sessionId: string): Promise<Session> {
    const [runs, path] = await Promise.all([this.#runs(), this.locate(agent, sessionId)])
    const session = await this.#host.parse(agent, path)
    return { ...session, tags: runs.tagsOf(unifiedId(this.#host.ownerOf(agent), session.sessionId)) }
  }

  /** Read again for each call: another process may have added to them. */
  #runs(): Promise<OwnRuns> {
    return readOwnRuns(this.#host.dataDir, (agent) => this.#host.ownerOf(agent))
  }

  /** The file of a session, or its place in a database. The beginning of an id is enough where only one begins so. */
  async locate(agent: AgentName, given: string): Promise<string> {
    const owner = this.#host.ownerOf(agent)
    const parts = splitUnifiedId(given)
    const sessionId = parts?.agent === agent ? parts.sessionId : given
    const path = await this.#find(owner, sessionId)
    if (path !== null) return path
    const [one, ...others] = sessionId === '' ? [] : await this.matching(unifiedId(owner, sessionId), 2)
    const begun = one && others.length === 0 ? await this.#find(owner, one.sessionId) : null
    if (begun !== null) return begun
    throw new AgentMuxError('SESSION_NOT_FOUND', `${agent} has no session ${sessionId}`, {
      hint: `\`amux sessions list --agent ${agent}\` shows those that it has.`,
    })
  }

  /** The sessions whose id, with or without the agent's name, is this or begins so; the newest first. */
  matching(id: string, limit: number): Promise<SessionName[]> {
    return this.#withStores(null, async (database, discoveries, refresher) => {
      const stale = discoveries.map((discovery) => ({ discovery, sources: refresher.stale(discovery) }))
      const native = splitUnifiedId(id)?.sessionId ?? id
      for (const { discovery, sources } of stale) {
        const named = sources.filter(({ path }) => path.includes(native)) // most agents name the file after the session
        if (named.length > 0) await this.#read(refresher, discovery.agent, named)
      }
      if (sessionsNamed(database, id, limit).length === 0) await this.#readAll(discoveries, refresher)
      return sessionsNamed(database, id, limit)
    })
  }

  async search(options: SessionSearchOptions<number>): Promise<SessionSummary[]> {
    const { agent } = options
    if (agent !== undefined && !this.#host.isAgent(agent)) return []
    const owner = agent === undefined ? undefined : this.#host.ownerOf(agent)
    return this.#withStores(owner ?? null, async (database, discoveries, refresher) => {
      await this.#readAll(discoveries, refresher)
      await this.#readText(database, discoveries)
      const runs = await this.#runs()
      const query = { ...options, agent: owner, tagged: runs.tagged(options.tags) }
      return searchSessions(database, query).map((row) => {
        return { ...row, tags: runs.tagsOf(row.unifiedId), ...as(agent, row) }
      })
    })
  }

  totalCost(query: CostQuery<number> = {}): Promise<CostSummary> {
    const agent = query.agent === undefined ? undefined : this.#host.ownerOf(query.agent)
    return this.#withStores(agent ?? null, async (database, discoveries, refresher) => {
      if (query.sessionId === undefined) await this.#readAll(discoveries, refresher)
      else await this.#readTouched(discoveries, refresher, query.since ?? 0)
      return sumCost(database, { ...query, agent }, await this.#runs())
    })
  }

  async refresh({ agent, text: withText = false, onProgress }: RefreshOptions = {}): Promise<void> {
    const owner = agent === undefined ? null : this.#host.ownerOf(agent)
    const read = async (database: Database, discoveries: Discovery[], refresher: Refresher) => {
      await this.#readAll(discoveries, refresher)
      if (withText) await this.#readText(database, discoveries, onProgress)
    }
    await this.#withStores(owner, read, onProgress)
  }

  close(): void {
    const index = this.#index
    this.#index = null
    // A failure to open was reported to the caller that asked for it.
    index?.then(({ database }) => database.close()).catch(() => {})
  }

  /** A failure is not kept: what is in the way may be gone the next time. */
  async #open(): Promise<SessionIndex> {
    this.#index ??= openSessionIndex(this.#host.dataDir)
    try {
      return await this.#index
    } catch (error) {
      this.#index = null
      throw error
    }
  }

  async #withStores<Result>(
    agent: AgentName | null,
    use: (database: Database, discoveries: Discovery[], refresher: Refresher) => Promise<Result>,
    onProgress?: RefreshOptions['onProgress'],
  ): Promise<Result> {
    if (agent !== null) this.#host.requireAgent(agent)
    try {
      return await this.#withIndex(agent, use, onProgress)
    } catch (error) {
      // Damage may show only when a damaged page is read. Whatever was in it is in the agents' stores.
      if (!isDamage(error)) throw error
      const damaged = await this.#open()
      damaged.database.close()
      this.#index = renewSessionIndex(this.#host.dataDir, damaged)
      return this.#withIndex(agent, use, onProgress)
    }
  }

  async #withIndex<Result>(
    agent: AgentName | null,
    use: (database: Database, discoveries: Discovery[], refresher: Refresher) => Promise<Result>,
    onProgress?: RefreshOptions['onProgress'],
  ): Promise<Result> {
    const { database } = await this.#open()
    const refresher = new Refresher(database, { price: (name, row) => this.#host.price(name, row), onProgress })
    refresher.expectPrices(this.#host.priceStamp)
    const stores = this.#host.stores().filter((store) => agent === null || store.agent === agent)
    const isUnchanged = (path: string, stamp: string) => refresher.isUnchanged(path, stamp)
    const discoveries = await Promise.all(stores.map((store) => discover(store, isUnchanged)))
    try {
      this.#warnings = discoveries.flatMap(({ warnings }) => warnings)
      for (const discovery of discoveries) refresher.forget(discovery)
      const result = await use(database, discoveries, refresher)
      this.#warnings.push(...discoveries.flatMap((discovery) => refresher.problems(discovery)))
      return result
    } finally {
      for (const discovery of discoveries) discovery.close()
    }
  }

  /** True when all of them could be read. */
  async #read(refresher: Refresher, agent: AgentName, sources: FoundSource[]): Promise<boolean> {
    const warnings = await refresher.read(agent, sources)
    this.#warnings.push(...warnings)
    return warnings.length === 0
  }

  async #readAll(discoveries: readonly Discovery[], refresher: Refresher): Promise<void> {
    for (const discovery of discoveries) {
      const isWhole = await this.#read(refresher, discovery.agent, refresher.stale(discovery))
      if (isWhole) refresher.conclude(discovery)
    }
  }

  /** What one session has spent since then is in the files that have changed since. */
  async #readTouched(discoveries: readonly Discovery[], refresher: Refresher, since: number): Promise<void> {
    for (const discovery of discoveries) {
      const touched = refresher.stale(discovery).filter(({ touchedAt }) => touchedAt >= since)
      await this.#read(refresher, discovery.agent, touched)
    }
  }

  async #readText(
    database: Database,
    discoveries: readonly Discovery[],
    onProgress?: RefreshOptions['onProgress'],
  ): Promise<void> {
    const words = new TextIndex(database)
    for (const discovery of discoveries) this.#warnings.push(...(await words.fill(discovery, onProgress)))
  }

  /**
   * Reads the newest files first, and stops when what is left is too old to come into the list: a session was not at
   * work after its file was last touched. True when nothing is left.
   */
  async #readAsNeeded(
    database: Database,
    discoveries: readonly Discovery[],
    refresher: Refresher,
    condition: Condition,
    { limit = 100, sort = 'date', sortDirection = 'desc', since = 0 }: SessionListOptions<number>,
  ): Promise<boolean> {
    const stale = discoveries.flatMap((discovery) =>
      refresher.stale(discovery).map((source) => ({ agent: discovery.agent, source })),
    )
    if (sort !== 'date' || sortDirection !== 'desc') {
      await this.#readAll(discoveries, refresher)
      return true
    }
    stale.sort((a, b) => b.source.touchedAt - a.source.touchedAt)
    const counted = database.prepare(
      `SELECT count(DISTINCT agent || ':' || session_id) AS n FROM source WHERE ${condition.sql} AND updated_at >= ?`,
    )
    for (let next = stale[0]; next; next = stale[0]) {
      const { touchedAt } = next.source
      const enough = number(counted.get(...condition.params, touchedAt)?.n) >= limit
      if (enough || touchedAt < since) return false
      const batch = stale.splice(0, Math.max(limit, 1))
      for (const { agent } of discoveries) {
        const sources = batch.flatMap((one) => (one.agent === agent ? [one.source] : []))
        if (sources.length > 0) await this.#read(refresher, agent, sources)
      }
    }
    return true
  }

  async #find(agent: AgentName, sessionId: string): Promise<string | null> {
    this.#host.requireAgent(agent)
    const store = this.#host.stores().find((one) => one.agent === agent)
    const path = store && 'path' in store ? await pathByName(store, sessionId) : null
    return path ?? this.#findInIndex(agent, sessionId)
  }

  async #findInIndex(agent: AgentName, sessionId: string): Promise<string | null> {
    return this.#withStores(agent, async (database, discoveries, refresher) => {
      const there = new Set(discoveries.flatMap(({ sources }) => sources.map(({ path }) => path)))
      const known = database.prepare(
        'SELECT path FROM source WHERE agent = ? AND session_id = ? ORDER BY parent_id IS NOT NULL, message_count DESC',
      )
      const find = () => known.all(agent, sessionId).find(({ path }) => there.has(text(path)))
      let row = find()
      if (!row) {
        // Most agents name the file after the session.
        const stale = discoveries.flatMap((discovery) => refresher.stale(discovery))
        const named = stale.filter(({ path }) => path.includes(sessionId))
        await this.#read(refresher, agent, named)
        row = find()
        if (!row) {
          await this.#readAll(discoveries, refresher)
          row = find()
        }
      }
      return row ? text(row.path) : null
    })
  }
}

/** A session of a shared store under the name by which it was asked for. */
function as(agent: AgentName | null | undefined, { sessionId }: SessionSummary): Partial<SessionSummary> {
  return agent ? { agent, unifiedId: unifiedId(agent, sessionId) } : {}
}
