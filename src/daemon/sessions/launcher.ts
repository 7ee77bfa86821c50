import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fact } from '../../contract/activity.ts'
import { AgentMuxError, isAgentMuxError } from '../../contract/errors.ts'
import type {
  ControlCommand,
  ControlResult,
  LaunchMark,
  LaunchResult,
  LaunchSpec,
  RunnerModule,
} from '../../contract/launch.ts'
import { addFact } from '../../core/evidence.ts'
import type { Confidences, Confidential } from '../../secrets/confidences.ts'
import type { Writer } from '../recorder.ts'
import type { LaunchOrigin, LaunchRow } from '../store/launches.ts'
import type { Account } from './account.ts'
import type { DailyBudget } from './daily-budget.ts'
import { Follower } from './follower.ts'
import { Intake, type IntakeOptions } from './intake.ts'
import { type Admission, admit } from './queue.ts'
import { beginLaunch, killed, type SessionRecord } from './record.ts'
import { restoreCommand } from './restore-command.ts'
import { overBudget } from './session-budget.ts'

export interface LauncherOptions extends IntakeOptions {
  runner: RunnerModule
  dataDir: string
  maxLive: number
  maxLogBytes: number
  budget: DailyBudget
  confidences: Confidences
  /** The environment of launches whose own was lost with an earlier daemon. */
  env: NodeJS.ProcessEnv
  /** Whose limits a launch uses. */
  accountOf(spec: LaunchSpec, given: Omit<Confidential, 'hidden'>): Promise<Account>
  /** What an agent is started with so that its hooks come to us. */
  hooksOf(spec: LaunchSpec, env: NodeJS.ProcessEnv): Promise<LaunchSpec['hooks']>
}

const CLAIM_MS = 2000
const CLAIM_LOOK_MS = 100
/** A runner that is asked to end says so within moments, or it is stopped. */
const HEARD_MS = 3000
/** What agents get between TERM and KILL unless they are given something else. */
const GRACE_MS = 5000
/** Beyond that: to stop, to write it down and to be read. */
const SETTLE_MS = 5000
/** The log of a long run is read again to find its end. */
const RECOVER_MS = 15_000
const LOOK_MS = 20

async function until(isSo: () => boolean, patienceMs: number): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; !isSo(); await sleep(LOOK_MS)) {
    if (Date.now() > deadline) return false
  }
  return true
}

/** Starts launches when there is room, and follows them until they end. */
export class Launcher {
  readonly #options: LauncherOptions
  readonly #intake: Intake
  /** By session: a session has one live launch at a time. */
  readonly #followers = new Map<string, Follower>()
  /** By launch. */
  readonly #starting = new Map<string, Promise<void>>()
  /** By launch, until it is in the queue. */
  readonly #accounts = new Map<string, Account>()
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
    await this.#refuseIncomplete()
    this.enforceBudget()
    this.admit()
  }

  /** What waits may have lost what it was given in secret. It says so now, not when its time has come. */
  async #refuseIncomplete(): Promise<void> {
    const { store, runner } = this.#options
    for (const row of store.launches.open()) {
      const session = store.sessions.get(row.sessionId)
      const error = row.state === 'queued' && session && session.killedBecause === null && this.#lostBy(session)
      if (!error || !(await runner.cancelLaunch(this.launchDir(row.id), null))) continue
      this.#refuse(row, error)
    }
  }

  async #takeUp(row: LaunchRow): Promise<void> {
    const { store, runner } = this.#options
    const dir = this.launchDir(row.id)
    if (await this.#wasKilled(row)) return
    const isUnclaimed = async () => (await runner.runnerState(dir)).state === 'never_started'
    // The earlier daemon may have died just before or just after it had started the runner. A launch is claimed by
    // one runner only, so that starting another is safe; but the first one has the secrets, so it gets its time.
    for (const deadline = Date.now() + CLAIM_MS; await isUnclaimed(); await sleep(CLAIM_LOOK_MS)) {
      // It ran, and its files are gone. It must not run again.
      if (row.state === 'running') return this.#follow(row)
      if (Date.now() < deadline) continue
      store.launches.setState(row.id, 'queued', Date.now())
      return
    }
    const { state } = await runner.runnerState(dir)
    if (state === 'lost') this.#noteDeath(row)
    const followed = this.#follow(row)
    if (state !== 'alive') await followed
  }

  /** A daemon that was asked to end a launch may have ended itself before it was done: then it is done now. */
  async #wasKilled(row: LaunchRow): Promise<boolean> {
    const { store, runner } = this.#options
    const session = store.sessions.get(row.sessionId)
    if (session?.launch !== row.number || session.killedBecause === null) return false
    const dir = this.launchDir(row.id)
    if (!(await runner.cancelLaunch(dir, null))) await runner.endLaunch(dir, this.#markOf(row))
    await this.#follow(row)
    return true
  }

  #markOf({ sessionId, number: launch }: LaunchRow): LaunchMark {
    return { sessionId, launch, dataDir: this.#options.dataDir }
  }

  /** What it did last is still to be read, but it does nothing any more. */
  #noteDeath({ sessionId, number: launch }: LaunchRow): void {
    const { store, recorder } = this.#options
    const session = store.sessions.get(sessionId)
    if (session?.launch !== launch) return
    const fact: Fact = { state: 'exited', source: 'process', at: Date.now(), launch, detail: 'its runner is gone' }
    recorder.commit((writer) => writer.session({ ...session, evidence: addFact(session.evidence, fact) }))
  }

  /** Of the next launch. A restore that came to nothing, on a full disk say, may have left a directory behind. */
  nextNumber({ id, launch }: Pick<SessionRecord, 'id' | 'launch'>): number {
    let number = launch + 1
    while (existsSync(this.launchDir(launchIdOf({ id, launch: number })))) number += 1
    return number
  }

  /** Before `enqueue`: the launch's own directory, with all that may lie on a disk; the rest is kept in memory. */
  async prepare(spec: LaunchSpec, { secrets, env }: Omit<Confidential, 'hidden'>): Promise<void> {
    const { runner, hooksOf, confidences, accountOf } = this.#options
    const whole = { ...spec, hooks: await hooksOf(spec, env), maxLogBytes: this.#options.maxLogBytes }
    this.#accounts.set(spec.launchId, await accountOf(spec, { secrets, env }))
    const hidden = await runner.createLaunch(this.launchDir(spec.launchId), whole, secrets, env)
    confidences.set(spec.sessionId, { secrets, env, hidden })
  }

  /** What the last launch of a session was given in secret; null when another daemon has it. */
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
    const account = this.#accounts.get(id) ?? session.account
    this.#accounts.delete(id)
    const hiddenOptions = Object.keys(this.confidentialOf(session.id)?.hidden ?? {})
    const next = { ...beginLaunch(session, number, createdAt), account, hiddenOptions, waitsFor: 'about to start' }
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

  /**
   * Ends the newest launch of a session, whatever state it is in. First it is made sure that it cannot start any more;
   * then the runner is asked; when it does not answer, or the agent does not go, both are ended without asking.
   */
  async end(session: SessionRecord, isOver: () => boolean): Promise<void> {
    const { store, runner } = this.#options
    const row = store.launches.get(launchIdOf(session))
    if (row === null || row.state === 'ended') return
    const dir = this.launchDir(row.id)
    const within = (ms: number) => until(isOver, ms)
    // A full disk takes no mark that it is cancelled. Then it is ended anyway.
    const isCancelled = await runner.cancelLaunch(dir, null).catch(() => false)
    const isFollowed = () => this.#followers.has(session.id) || this.#starting.has(row.id)
    if (isCancelled && !isFollowed()) return this.#endUnfollowed(row)
    const isHeard = isCancelled || ((await this.#followers.get(session.id)?.abort(HEARD_MS)) ?? false)
    const graceMs = (session.options.gracePeriodMs ?? GRACE_MS) + SETTLE_MS
    if (isHeard && (await within(isCancelled ? SETTLE_MS : graceMs))) return
    if (!isOver()) await runner.endLaunch(dir, this.#markOf(row))
    // What it has said is still being read: it is over when all of that is on record.
    for (let [seen, taken] = [-1, row.records]; taken !== seen; taken = store.launches.get(row.id)?.records ?? taken) {
      if (await within(RECOVER_MS)) return
      seen = taken
    }
    // Nobody follows it any more, and there is nobody left who could tell how it ended.
    if (!isFollowed()) this.#endUnfollowed(row)
  }

  #endUnfollowed({ id }: LaunchRow): void {
    const row = this.#options.store.launches.get(id)
    if (row && row.state !== 'ended') this.#ended(row, this.#failure(row, null))
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
      const waiting = admission.waits.get(row.id)
      const isNews = waiting !== undefined && JSON.stringify(waiting) !== JSON.stringify(session?.waiting)
      return session && isNews ? [{ ...session, waitsFor: waiting.why, waiting }] : []
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
    const [parked, spent] = [store.parked.list(now), budget.spent(now)]
    const withAccount = queued.map((row) => ({ ...row, account: store.sessions.get(row.sessionId)?.account?.id ?? '' }))
    return admit({ queued: withAccount, live: this.live, maxLive, parked, budget: spent, now })
  }

  async #start(row: LaunchRow): Promise<void> {
    const { store, recorder, runner, log } = this.#options
    try {
      const session = store.sessions.get(row.sessionId)
      if (!session) return
      if (session.killedBecause !== null) {
        await runner.cancelLaunch(this.launchDir(row.id), null)
        return this.#ended(row, this.#failure(row, null))
      }
      const confidential = this.confidentialOf(session.id) ?? this.#fallback(session)
      recorder.commit((writer) => {
        store.launches.setState(row.id, 'starting', Date.now())
        writer.session({ ...session, waitsFor: null, waiting: null })
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
  #fallback(session: SessionRecord): Confidential {
    const error = this.#lostBy(session)
    if (error) throw error
    return { secrets: {}, env: this.#options.env }
  }

  /** Why a launch that an earlier daemon has queued cannot start any more; null when it can. */
  #lostBy(session: SessionRecord): AgentMuxError | null {
    const { id, secretOptions, hiddenOptions = [] } = session
    const lost = [...secretOptions, ...hiddenOptions]
    if (lost.length === 0 || this.confidentialOf(id) !== null) return null
    const why = hiddenOptions.length === 0 ? 'went' : 'held a secret, and went'
    return new AgentMuxError('CONFIG_ERROR', `Its ${lost.join(', ')} ${why} with the daemon that had it`, {
      hint: `What may hold secrets is never written to disk: give it again with ${restoreCommand(session, lost)}`,
    })
  }

  /** No runner came about. */
  #refuse(row: LaunchRow, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    const hint = isAgentMuxError(error) ? error.hint : undefined
    const code = isAgentMuxError(error) ? error.code : 'SPAWN_ERROR'
    this.#ended(row, this.#failure(row, { code, message, hint }))
  }

  #failure({ id: launchId, records }: LaunchRow, error: LaunchResult['error']): LaunchResult {
    const base = { format: 1, launchId, endedAt: Date.now(), how: 'refused' } as const
    return { ...base, result: null, exit: null, records, error }
  }

  /** For a launch whose runner is lost. What is left of its agent is ended first, also when no file names it. */
  async #recover(row: LaunchRow): Promise<LaunchResult> {
    const { runner } = this.#options
    const dir = this.launchDir(row.id)
    const { state } = await runner.runnerState(dir)
    if (state === 'alive') return this.#damaged(row, 'its runner has come back')
    if (state !== 'ended') await runner.endLaunch(dir, this.#markOf(row))
    if (state === 'never_started') return this.#damaged(row, `${dir} is gone`)
    return runner.recoverEvents(dir, this.confidentialOf(row.sessionId) ?? undefined)
  }

  /** Ends a launch that cannot be followed any more, and says so. */
  async #damaged(row: LaunchRow, why: string): Promise<LaunchResult> {
    await this.#options.runner.endLaunch(this.launchDir(row.id), this.#markOf(row))
    const message = `The files of this launch are damaged: ${why}`
    const hint = 'Its agent was ended. `amux restore` goes on with the conversation.'
    return { ...this.#failure(row, { code: 'STORAGE_ERROR', message, hint }), how: 'lost' }
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
      recover: () => this.#recover(row),
      abandon: (why) => this.#damaged(row, why),
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

  /** Nobody spends more when the budget of the day is spent, or its own: agents are ended, with a terminal or without. */
  enforceBudget(): void {
    const { store, recorder, budget, log } = this.#options
    const spent = budget.spent(Date.now())
    for (const sessionId of this.#followers.keys()) {
      const session = store.sessions.get(sessionId)
      const killedBecause = spent?.why ?? (session && overBudget(session)?.evidence)
      if (!session || session.killedBecause !== null || !killedBecause) continue
      recorder.commit((writer) => writer.session(killed(session, killedBecause)))
      const isOver = () => store.sessions.get(sessionId)?.isLive !== true
      this.end(session, isOver).catch((err: unknown) => log.warn({ err, sessionId }, 'ending what costs too much'))
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
