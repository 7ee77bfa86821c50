import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Answer, type Change, DaemonClient, type Input, type ManagedSession } from '../client/index.ts'
import type { AgentEventType, EventOfType } from '../contract/events.ts'
import { LAUNCH_FILES, type RunnerInfo } from '../contract/launch.ts'
import { daemonAddress } from '../daemon/address.ts'
import { CheckFailed, must } from './check.ts'

export interface ManagedRequest {
  home: string
  /** Of the daemon, and of all that it starts. */
  env: Record<string, string>
  /** What every session is spawned with, unless told otherwise. */
  session: Input<'spawn'>
  patienceMs: number
}

export type SpawnRequest = Partial<Input<'spawn'>>

const POLL_MS = 50
const OTHER_BOOT = '00000000-0000-4000-8000-000000000000'
const PROGRAM = fileURLToPath(new URL('../../bin/amux.js', import.meta.url))

/** A daemon of its own on the bench: a real process that is started, killed and talked to as a user's is. */
export class ManagedBench {
  readonly client: DaemonClient
  readonly dataDir: string
  /** What the stream of changes has told, from its beginning. */
  readonly told: Change[] = []
  readonly #request: ManagedRequest
  #serving: ChildProcess | null = null
  #reading: { stop: AbortController; done: Promise<void> } | null = null

  static async open(request: ManagedRequest): Promise<ManagedBench> {
    const bench = new ManagedBench(request)
    await bench.serve()
    bench.listen()
    return bench
  }

  private constructor(request: ManagedRequest) {
    this.#request = request
    this.dataDir = join(request.home, '.agent-mux', 'data')
    mkdirSync(this.dataDir, { recursive: true, mode: 0o700 })
    this.client = new DaemonClient({ retries: 20, address: () => daemonAddress(this.dataDir) })
  }

  /** Starts a daemon and waits until it answers. */
  async serve(): Promise<void> {
    const { home, env } = this.#request
    const places = { AGENT_MUX_CONFIG_DIR: join(home, '.agent-mux'), AGENT_MUX_DATA_DIR: this.dataDir }
    this.#serving = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0'], {
      env: { ...env, ...places },
      cwd: this.dataDir,
      stdio: 'ignore',
    })
    await this.client.call('health')
  }

  /** Follows the stream of changes from where it was left. */
  listen(): void {
    const stop = new AbortController()
    const follow = async () => {
      const after = this.told.at(-1)?.seq ?? 0
      for await (const change of this.client.changes({ after, signal: stop.signal })) this.told.push(change)
    }
    // When the daemon is gone for good, what has been told by then is all there is.
    this.#reading = { stop, done: follow().catch(() => {}) }
  }

  async hangUp(): Promise<void> {
    this.#reading?.stop.abort()
    await this.#reading?.done
    this.#reading = null
  }

  spawn(more: SpawnRequest = {}): Promise<ManagedSession> {
    const { session } = this.#request
    const options = { ...session.options, ...more.options }
    return this.client.call('spawn', { ...session, ...more, options })
  }

  /** What may hold secrets is given again, as a user has to. */
  restore(id: string, more: Omit<Input<'restore'>, 'id'> = {}): Promise<Answer<'restore'>> {
    const { env, endpoint } = this.#request.session.options ?? {}
    return this.client.call('restore', { id, options: { env, endpoint }, ...more })
  }

  /** A session as the stream of changes tells it. */
  latest(id: string): ManagedSession | null {
    const last = this.told.findLast((change) => change.kind === 'session' && change.sessionId === id)
    return last?.kind === 'session' ? last.session : null
  }

  /** Waits until the stream tells that a session is as it should be. */
  async until(id: string, what: string, isSo: (session: ManagedSession) => boolean): Promise<ManagedSession> {
    for (const deadline = Date.now() + this.#request.patienceMs; ; await sleep(POLL_MS)) {
      const session = this.latest(id)
      if (session && isSo(session)) return session
      if (Date.now() < deadline && (session === null || session.isLive || this.#mayStillEnd(session))) continue
      throw new CheckFailed(`not ${what}: ${session ? describe(session) : 'nothing is told of it'}`)
    }
  }

  /** What its end leads to may be told a moment later. */
  #mayStillEnd({ updatedAt }: ManagedSession): boolean {
    return Date.now() - updatedAt < 5000
  }

  states(id: string): string[] {
    const all = this.told.flatMap((change) =>
      change.kind === 'session' && change.sessionId === id ? [change.session.activity.state] : [],
    )
    return all.filter((state, index) => state !== all[index - 1])
  }

  events<Type extends AgentEventType>(id: string, type: Type): EventOfType<Type>[] {
    const isWanted = (event: { type: string }): event is EventOfType<Type> => event.type === type
    return this.told.flatMap((change) => {
      const event = change.kind === 'event' && change.sessionId === id ? change.event : null
      return event && isWanted(event) ? [event] : []
    })
  }

  /** Of every launch so far. */
  runIds(id: string): string[] {
    const all = this.told.flatMap((change) =>
      change.kind === 'event' && change.sessionId === id ? [change.event.runId] : [],
    )
    return [...new Set(all)]
  }

  /** Nothing left out and nothing told twice, and the same as the log tells. */
  async mustBeWhole(id: string): Promise<void> {
    const { lastSeq } = await this.client.call('health')
    for (const deadline = Date.now() + 5000; (this.told.at(-1)?.seq ?? 0) < lastSeq && Date.now() < deadline; ) {
      await sleep(POLL_MS)
    }
    const gap = this.told.findIndex(({ seq }, index) => seq !== index + 1)
    must(gap === -1, `change ${this.told[gap]?.seq} is told at place ${gap + 1}`)
    must(this.told.length >= lastSeq, `of ${lastSeq} changes ${this.told.length} were told`)
    const numbers = new Map<number, number>()
    for (const change of this.told) {
      if (change.kind !== 'event' || change.sessionId !== id) continue
      const before = numbers.get(change.launch) ?? 0
      must(change.n > before, `record ${change.n} of launch ${change.launch} comes after ${before}`)
      numbers.set(change.launch, change.n)
    }
  }

  #launchDir({ id, launch }: Pick<ManagedSession, 'id' | 'launch'>): string {
    return join(this.dataDir, 'launches', `${id}-${launch}`)
  }

  /** The processes of its newest launch, as the ledger has them. */
  processes(session: Pick<ManagedSession, 'id' | 'launch'>): RunnerInfo {
    return JSON.parse(readFileSync(join(this.#launchDir(session), LAUNCH_FILES.runner), 'utf8'))
  }

  /** kill -9 of the daemon alone. */
  async killDaemon(): Promise<void> {
    const serving = this.#serving
    if (!serving || serving.exitCode !== null || serving.signalCode !== null) return
    const ended = once(serving, 'exit')
    serving.kill('SIGKILL')
    await ended
  }

  /** As after a power cut: every process is gone, and the machine has another boot. */
  async reboot(session: Pick<ManagedSession, 'id' | 'launch'>): Promise<void> {
    const info = this.processes(session)
    await this.killDaemon()
    for (const one of [info.runner, info.agent]) if (one) killNow(one.pid)
    const runner = { ...info.runner, bootId: OTHER_BOOT }
    const agent = info.agent && { ...info.agent, bootId: OTHER_BOOT }
    writeFileSync(join(this.#launchDir(session), LAUNCH_FILES.runner), JSON.stringify({ ...info, runner, agent }))
    await this.serve()
  }

  /** Ends every session, then the daemon. */
  async close(): Promise<void> {
    const serving = this.#serving
    try {
      const live = await this.client.call('listSessions', { live: true })
      await Promise.all(live.map(({ id }) => this.client.call('kill', { id })))
    } finally {
      await this.hangUp()
      if (serving && serving.exitCode === null && serving.signalCode === null) {
        const ended = once(serving, 'exit')
        serving.kill('SIGTERM')
        const timer = setTimeout(() => serving.kill('SIGKILL'), 10_000)
        await ended
        clearTimeout(timer)
      }
    }
  }
}

export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // gone by itself
  }
}

function describe({ activity, outcome, summary, usage, isLive }: ManagedSession): string {
  return JSON.stringify({ activity, outcome, summary, turns: usage.turns, isLive })
}
