import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Change, DaemonClient, Input, ManagedSession } from '../client/index.ts'
import type { AgentEventType, EventOfType } from '../contract/events.ts'
import { LAUNCH_FILES, type RunnerInfo } from '../contract/launch.ts'
import { signalProcess } from '../process/signal.ts'
import { type Bench, CheckFailed, must } from './check.ts'
import type { DaemonBench } from './daemon-bench.ts'

const POLL_MS = 50
const PATIENCE_MS = 90_000
/** The consequences of its end may be reported a moment later. */
const AFTER_END_MS = 5000
const OTHER_BOOT = '00000000-0000-4000-8000-000000000000'

type Newest = Pick<ManagedSession, 'id' | 'launch'>

/** A daemon on the bench, seen through its stream of changes, and the processes below it. */
export class ManagedBench {
  readonly daemon: DaemonBench
  readonly client: DaemonClient
  /** What the stream has reported, from its beginning. */
  readonly seen: Change[] = []
  #reading: { stop: AbortController; done: Promise<void> } | null = null

  static async open(bench: Bench): Promise<ManagedBench> {
    const managed = new ManagedBench(await bench.daemon())
    managed.listen()
    return managed
  }

  private constructor(daemon: DaemonBench) {
    this.daemon = daemon
    this.client = daemon.client
  }

  /** Follows the stream of changes from where it was left. */
  listen(): void {
    const stop = new AbortController()
    const follow = async () => {
      const after = this.seen.at(-1)?.seq ?? 0
      for await (const change of this.client.changes({ after, signal: stop.signal })) this.seen.push(change)
    }
    // When the daemon is gone for good, what has been reported by then is all there is.
    this.#reading = { stop, done: follow().catch(() => {}) }
  }

  async hangUp(): Promise<void> {
    this.#reading?.stop.abort()
    await this.#reading?.done
    this.#reading = null
  }

  /** What may hold secrets is given again, as a user has to. */
  restore(id: string, more: Omit<Input<'restore'>, 'id'> = {}): Promise<Answer<'restore'>> {
    return this.client.call('restore', { id, options: this.daemon.secrets, ...more })
  }

  /** A session as the stream of changes reports it. */
  latest(id: string): ManagedSession | null {
    const last = this.seen.findLast((change) => change.kind === 'session' && change.sessionId === id)
    return last?.kind === 'session' ? last.session : null
  }

  /** Waits until the stream reports that a session is as it should be. */
  async until(id: string, what: string, isSo: (session: ManagedSession) => boolean): Promise<ManagedSession> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
      const session = this.latest(id)
      if (session && isSo(session)) return session
      if (Date.now() < deadline && (!session || session.isLive || isFresh(session))) continue
      throw new CheckFailed(`not ${what}: ${session ? describe(session) : 'nothing is reported about it'}`)
    }
  }

  states(id: string): string[] {
    const all = this.seen.flatMap((change) =>
      change.kind === 'session' && change.sessionId === id ? [change.session.activity.state] : [],
    )
    return all.filter((state, index) => state !== all[index - 1])
  }

  /** What its activity has rested on. */
  sources(id: string): string[] {
    const all = this.seen.flatMap((change) =>
      change.kind === 'session' && change.sessionId === id ? [change.session.activity.source ?? 'nothing'] : [],
    )
    return [...new Set(all)]
  }

  events<Type extends AgentEventType>(id: string, type: Type): EventOfType<Type>[] {
    const isWanted = (event: { type: string }): event is EventOfType<Type> => event.type === type
    return this.seen.flatMap((change) => {
      const event = change.kind === 'event' && change.sessionId === id ? change.event : null
      return event && isWanted(event) ? [event] : []
    })
  }

  /** Of every launch so far. */
  runIds(id: string): string[] {
    const all = this.seen.flatMap((change) =>
      change.kind === 'event' && change.sessionId === id ? [change.event.runId] : [],
    )
    return [...new Set(all)]
  }

  /** Nothing left out and nothing reported twice, and the same as in the log. */
  async mustBeWhole(id: string): Promise<void> {
    const { lastSeq } = await this.client.call('health')
    for (const deadline = Date.now() + 5000; (this.seen.at(-1)?.seq ?? 0) < lastSeq && Date.now() < deadline; ) {
      await sleep(POLL_MS)
    }
    const gap = this.seen.findIndex(({ seq }, index) => seq !== index + 1)
    must(gap === -1, `change ${this.seen[gap]?.seq} is reported at place ${gap + 1}`)
    must(this.seen.length >= lastSeq, `of ${lastSeq} changes ${this.seen.length} were reported`)
    const numbers = new Map<number, number>()
    for (const change of this.seen) {
      if (change.kind !== 'event' || change.sessionId !== id) continue
      const before = numbers.get(change.launch) ?? 0
      must(change.n > before, `record ${change.n} of launch ${change.launch} comes after ${before}`)
      numbers.set(change.launch, change.n)
    }
  }

  #launchDir({ id, launch }: Newest): string {
    return join(this.daemon.dataDir, 'launches', `${id}-${launch}`)
  }

  /** The processes of its newest launch, as the ledger has them. */
  processes(session: Newest): RunnerInfo {
    return JSON.parse(readFileSync(join(this.#launchDir(session), LAUNCH_FILES.runner), 'utf8'))
  }

  /** As after a power cut: every process is gone, and the machine has another boot. */
  async reboot(session: Newest): Promise<void> {
    const info = this.processes(session)
    await this.daemon.end('SIGKILL')
    for (const one of [info.runner, info.agent]) signalProcess(one?.pid, 'SIGKILL')
    const runner = { ...info.runner, bootId: OTHER_BOOT }
    const agent = info.agent && { ...info.agent, bootId: OTHER_BOOT }
    writeFileSync(join(this.#launchDir(session), LAUNCH_FILES.runner), JSON.stringify({ ...info, runner, agent }))
    await this.daemon.serve()
  }
}

function describe({ activity, outcome, summary, usage, isLive }: ManagedSession): string {
  return JSON.stringify({ activity, outcome, summary, turns: usage.turns, isLive })
}

function isFresh({ updatedAt }: ManagedSession): boolean {
  return Date.now() - updatedAt < AFTER_END_MS
}
