import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fact } from '../../contract/activity.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { ControlCommand, ControlResult, LaunchResult, LaunchSpec, RunnerModule } from '../../contract/launch.ts'
import { addFact } from '../../core/evidence.ts'
import type { Writer } from '../recorder.ts'
import type { LaunchOrigin, LaunchRow } from '../store/launches.ts'
import type { Confidences, Confidential } from './confidential.ts'
import type { DailyBudget } from './daily-budget.ts'
import { Follower } from './follower.ts'
import { Intake, type IntakeOptions } from './intake.ts'
import { type Admission, admit } from './queue.ts'
import { beginLaunch, type SessionRecord } from './record.ts'

export interface LauncherOptions extends IntakeOptions {
  runner: RunnerModule
  dataDir: string
  maxLive: number
  budget: DailyBudget
  confidences: Confidences
  /** The environment of launches whose own was lost with an earlier daemon. */
  env: NodeJS.ProcessEnv
  /** What an agent is started with so that its hooks come to us. */
  hooksOf(spec: LaunchSpec, env: NodeJS.ProcessEnv): Promise<LaunchSpec['hooks']>
}

const CLAIM_MS = 2000
const CLAIM_LOOK_MS = 100

/** Starts launches when there is room, and follows them until they end. */
export class Launcher {
  readonly #options: LauncherOptions
  readonly #intake: Intake
  /** By session: a session has one live launch at a time. */
  readonly #followers = new Map<string, Follower>()
  /** By launch. */
  readonly #starting = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: LauncherOptions) {
    this.#options = options
    this.#intake = new Intake(options)
  }

  get live(): number {
    return this.#followers.size + this.#starting.size
  }

  get queued(): number {
    return this.#options.store.launches.open().filter(({ state }) => state === 'queued').length
  }

  launchDir(launchId: string): string {
    return join(this.#options.dataDir, 'launches', launchId)
  }

  /** Takes up what an earlier daemon has left. Resolves when live ones are followed and dead ones brought to an end. */
  async resume(): Promise<void> {
    const { store } = this.#options
    const started = store.launches.open().filter(({ state }) => state !== 'queued')
    await Promise.all(started.map((row) => this.#takeUp(row)))
    this.enforceBudget()
    this.admit()
  }

  async #takeUp(row: LaunchRow): Promise<void> {
    const { store, runner } = this.#options
    const dir = this.launchDir(row.id)
    const isUnclaimed = async () => (await runner.runnerState(dir)).state === 'never_started'
    // The earlier daemon may have died just before or just after it had started the runner. A launch is claimed by
    // one runner only, so that starting another is safe; but the first one has the secrets, so it gets its time.
    for (const deadline = Date.now() + CLAIM_MS; await isUnclaimed(); await sleep(CLAIM_LOOK_MS)) {
      if (Date.now() < deadline) continue
      store.launches.setState(row.id, 'queued', Date.now())
      return
    }
    const { state } = await runner.runnerState(dir)
    if (state === 'lost') this.#noteDeath(row)
    const followed = this.#follow(row)
    if (state !== 'alive') await followed
  }

  /** What it did last is still to be read, but it does nothing any more. */
  #noteDeath({ sessionId, number: launch }: LaunchRow): void {
    const { store, recorder } = this.#options
    const session = store.sessions.get(sessionId)
    if (session?.launch !== launch) return
    const fact: Fact = { state: 'exited', source: 'process', at: Date.now(), launch, detail: 'its runner is gone' }
    recorder.commit((writer) => writer.session({ ...session, evidence: addFact(session.evidence, fact) }))
  }

  /** Before `enqueue`: the launch's own directory, with all that may lie on a disk; the rest is kept in memory. */
  async prepare(spec: LaunchSpec, { secrets, env }: Omit<Confidential, 'hidden'>): Promise<void> {
    const { runner, hooksOf, confidences } = this.#options
    const whole = { ...spec, hooks: await hooksOf(spec, env) }
    const hidden = await runner.createLaunch(this.launchDir(spec.launchId), whole, secrets, env)
    confidences.set(spec.sessionId, { secrets, env, hidden })
  }

  /** What the last launch of a session was given in secret; null when another daemon was told. */
  confidentialOf(sessionId: string): Confidential | null {
    return this.#options.confidences.get(sessionId)
  }

  /** What the agent of a session sees, as far as it is known. */
  environmentOf(sessionId: string): NodeJS.ProcessEnv {
    const { env = this.#options.env, secrets } = this.confidentialOf(sessionId) ?? {}
    return { ...env, ...secrets?.env }
  }

  forget(sessionId: string): void {
    this.#options.confidences.forget(sessionId)
  }

  /** Within a commit. It starts by itself when there is room; call `admit` afterwards. */
  enqueue(writer: Writer, session: SessionRecord, spec: LaunchSpec, origin: LaunchOrigin): SessionRecord {
    const { launchId: id, launch: number, createdAt, agent } = spec
    this.#options.store.launches.insert({ id, sessionId: session.id, number, agent, origin, createdAt })
    const next = { ...beginLaunch(session, number, createdAt), waitsFor: 'about to start' }
    writer.session(next)
    return next
  }

  /** Resolves when the newest launch of a session is on its way, or was refused; at once when it waits. */
  async started(sessionId: string): Promise<void> {
    const session = this.#options.store.sessions.get(sessionId)
    if (session) await this.#starting.get(launchIdOf(session))
  }

  /** `accepted` is called before anything that comes of it is taken in. */
  async request(
    sessionId: string,
    command: ControlCommand,
    key?: string,
    accepted?: () => void,
  ): Promise<ControlResult> {
    await this.started(sessionId)
    const follower = this.#followers.get(sessionId)
    if (follower) return follower.request(command, key, accepted)
    throw new AgentMuxError('RUN_NOT_ACTIVE', 'No agent of this session is running', {
      hint: `\`amux restore ${sessionId}\` brings it back.`,
    })
  }

  /** Ends a launch that has not started. False when there is none. */
  cancelQueued(session: SessionRecord, why: string): boolean {
    const { store, recorder } = this.#options
    const row = store.launches.get(launchIdOf(session))
    if (row?.state !== 'queued') return false
    recorder.commit((writer) => {
      store.launches.end(row.id, Date.now(), null)
      writer.session({ ...session, isLive: false, waitsFor: null, outcome: { kind: 'cancelled', evidence: why } })
    })
    return true
  }

  /** Starts what may start, and says of the rest what it waits for. */
  admit(): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    const { store, recorder } = this.#options
    const queued = store.launches.open().filter(({ state, id }) => state === 'queued' && !this.#starting.has(id))
    const admission = this.#admission(queued)
    const waiting = queued.flatMap((row) => {
      const session = store.sessions.get(row.sessionId)
      const waitsFor = admission.waits.get(row.id)
      return session && waitsFor !== undefined && waitsFor !== session.waitsFor ? [{ ...session, waitsFor }] : []
    })
    if (waiting.length > 0) recorder.commit((writer) => waiting.forEach(writer.session))
    for (const row of queued) {
      if (!admission.start.includes(row.id)) continue
      this.#starting.set(
        row.id,
        this.#start(row).finally(() => this.#starting.delete(row.id)),
      )
    }
    if (admission.nextAt !== null) {
      const delay = Math.min(Math.max(admission.nextAt - Date.now(), 0) + 50, 2 ** 31 - 1)
      this.#timer = setTimeout(() => this.admit(), delay)
    }
  }

  #admission(queued: readonly LaunchRow[]): Admission {
    const { store, maxLive, budget } = this.#options
    const now = Date.now()
    return admit({ queued, live: this.live, maxLive, parked: store.parked.list(now), budget: budget.spent(now), now })
  }

  async #start(row: LaunchRow): Promise<void> {
    const { store, recorder, runner, log } = this.#options
    try {
      const session = store.sessions.get(row.sessionId)
      if (!session) return
      const confidential = this.confidentialOf(session.id) ?? this.#fallback(session)
      recorder.commit((writer) => {
        store.launches.setState(row.id, 'starting', Date.now())
        writer.session({ ...session, waitsFor: null })
      })
      const { secrets, env, hidden } = confidential
      await runner.startRunner(this.launchDir(row.id), secrets, env, hidden)
      store.launches.setState(row.id, 'running', Date.now())
      log.info({ launch: row.id, agent: row.agent }, 'started')
    } catch (error) {
      log.error({ launch: row.id, err: error }, 'could not be started')
      this.#refuse(row, error)
      return
    }
    void this.#follow(row)
  }

  /** A queued launch of an earlier daemon: what it was given in secret is gone. */
  #fallback({ secretOptions }: SessionRecord): Confidential {
    if (secretOptions.length === 0) return { secrets: {}, env: this.#options.env }
    throw new AgentMuxError('CONFIG_ERROR', `Its ${secretOptions.join(', ')} went with the daemon that had them`, {
      hint: 'They are never written to disk: restore the session and give them again.',
    })
  }

  /** No runner came about. */
  #refuse(row: LaunchRow, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    this.#ended(row, {
      ...{ format: 1, launchId: row.id, endedAt: Date.now(), how: 'refused', result: null, exit: null, records: 0 },
      error: { code: error instanceof AgentMuxError ? error.code : 'SPAWN_ERROR', message },
    })
  }

  /** Resolves when it has ended and all of it is taken in. */
  async #follow(row: LaunchRow): Promise<void> {
    if (this.#isStopped) return
    const { runner, log, store } = this.#options
    const { id, sessionId } = row
    const place = { records: row.records }
    const follower = new Follower({
      launchDir: this.launchDir(id),
      runner,
      recover: () => runner.recoverEvents(this.launchDir(id), this.confidentialOf(sessionId) ?? undefined),
      position: row.position,
      take: (page) => {
        this.#intake.take(row, place.records, page)
        place.records = page.records.at(-1)?.n ?? place.records
        this.enforceBudget()
      },
      ended: (result) => this.#ended(store.launches.get(id) ?? row, result),
      trouble: (error, doing) => log.warn({ launch: id, err: error }, doing),
    })
    this.#followers.set(sessionId, follower)
    await follower.follow().finally(() => {
      if (this.#followers.get(sessionId) === follower) this.#followers.delete(sessionId)
      this.admit()
    })
  }

  #ended(row: LaunchRow, result: LaunchResult): void {
    this.#intake.ended(row, result)
    queueMicrotask(() => this.admit())
  }

  /** Nobody spends more when the budget of the day is spent: agents are ended, with a terminal or without. */
  enforceBudget(): void {
    const { store, recorder, budget } = this.#options
    const spent = budget.spent(Date.now())
    if (spent === null) return
    const killedBecause = spent.why
    for (const [sessionId, follower] of this.#followers) {
      const session = store.sessions.get(sessionId)
      if (!session || session.killedBecause !== null) continue
      recorder.commit((writer) => writer.session({ ...session, killedBecause }))
      follower.request({ command: 'abort' }).catch(() => undefined) // it is ending already
    }
  }

  /** Lets go of all launches; they go on without us. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const follower of this.#followers.values()) follower.stop()
    this.#followers.clear()
  }
}

export function launchIdOf({ id, launch }: Pick<SessionRecord, 'id' | 'launch'>): string {
  return `${id}-${launch}`
}
