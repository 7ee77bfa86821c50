import { type ErrorCode, isAgentMuxError } from '../../contract/errors.ts'
import type { Log } from '../log.ts'
import type { Recorder } from '../recorder.ts'
import type { Store } from '../store/store.ts'
import { needsMore, needsPerson, needsRestore } from './limit.ts'
import { type SessionRecord, viewOf } from './record.ts'
import { GO_ON, type Restorer } from './restore.ts'
import type { Sessions } from './sessions.ts'

export interface AfterLimitOptions {
  store: Store
  recorder: Recorder
  /** The user's setting. */
  resumeAfterLimit: boolean
  sessions: Sessions
  restorer: Restorer
  log: Log
}

const MAX_DELAY_MS = 2 ** 31 - 1
/** Clocks differ a little. */
const MARGIN_MS = 1000
/** Its runner may not be connected yet, or a dialog is open: it is tried again, ever more seldom. */
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 5 * 60_000
/** Another try would be refused for the same reason. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  ...(['VALIDATION_ERROR', 'CAPABILITY_ERROR', 'CONFIG_ERROR', 'PROFILE_NOT_FOUND', 'PRICE_UNKNOWN'] as const),
  ...(['BUDGET_EXCEEDED', 'AGENT_NOT_INSTALLED', 'UNKNOWN_AGENT'] as const),
])

interface Plan {
  until: number
  isLive: boolean
  timer: NodeJS.Timeout
}

/**
 * Lets sessions go on that a limit has stopped, when it is over. One that has exited is put into the queue, where it
 * waits for its agent like all others; one that lives gets a message to go on. What is planned is in the session's record,
 * so that the next daemon does it when this one does not live that long. What cannot go on by itself says so at once,
 * and what a person can do.
 */
export class AfterLimit {
  readonly #options: AfterLimitOptions
  readonly #plans = new Map<string, Plan>()
  #isStopped = false

  constructor(options: AfterLimitOptions) {
    this.#options = options
  }

  /** Takes up what an earlier daemon has planned. */
  resume(): void {
    for (const session of this.#options.store.sessions.list()) this.consider(session)
  }

  consider(session: SessionRecord): void {
    const { id, limit, isLive, killedBecause, mode } = session
    if (!limit || killedBecause !== null || limit.needs !== undefined) {
      this.#forget(id)
      return
    }
    if (mode === 'terminal' || !this.#options.resumeAfterLimit) {
      this.#leave(id, limit.until, needsPerson)
      return
    }
    const plan = this.#plans.get(id)
    // The end of an agent moves the end of its limit: both are counted from the last word.
    if (plan?.until === limit.until && plan.isLive === isLive) return
    this.#forget(id)
    this.#plan(id, { until: limit.until, isLive }, isLive ? limit.until + MARGIN_MS - Date.now() : 0)
  }

  /** The same after its limit has changed. */
  reconsider(session: SessionRecord): void {
    this.#forget(session.id)
    this.consider(session)
  }

  #forget(id: string): void {
    clearTimeout(this.#plans.get(id)?.timer)
    this.#plans.delete(id)
  }

  #plan(id: string, given: Omit<Plan, 'timer'>, delayMs: number, retryMs = FIRST_RETRY_MS): void {
    const go = () => {
      this.#plans.delete(id)
      this.#goOn(id, given.until).catch((err: unknown) => {
        this.#options.log.warn({ err, id }, 'after a limit')
        const isPlanned = this.#isStopped || this.#plans.has(id)
        if (!isPlanned) this.#plan(id, given, retryMs, Math.min(retryMs * 2, LAST_RETRY_MS))
      })
    }
    const timer = setTimeout(go, Math.min(Math.max(delayMs, 0), MAX_DELAY_MS))
    this.#plans.set(id, { ...given, timer: timer.unref() })
  }

  async #goOn(id: string, until: number): Promise<void> {
    const { store, sessions } = this.#options
    const session = store.sessions.get(id)
    // Somebody was faster, or the limit is a newer one.
    if (session?.limit?.until !== until || session.killedBecause !== null) return
    if (session.isLive && Date.now() < until) return this.consider(session)
    const key = `after-limit-${until}`
    if (session.isLive) await sessions.send({ id, text: GO_ON, key }, { isOurs: true })
    else await this.#restore(session, key)
  }

  async #restore(session: SessionRecord, key: string): Promise<void> {
    const { restorer } = this.#options
    const { id, limit } = session
    const until = limit?.until
    try {
      const plan = await restorer.plan(id)
      if (plan.kind !== 'native') return this.#leave(id, until, (now) => needsRestore(now, plan), { isNews: true })
      await restorer.restore({ id, prompt: GO_ON, key }, { isOurs: true })
    } catch (error) {
      if (!isAgentMuxError(error) || error.recoverable || !FINAL.has(error.code)) throw error
      this.#leave(id, until, () => needsMore(error), { isNews: true })
    }
  }

  /** It stays where it is, and says what it needs. */
  #leave(
    id: string,
    until: number | undefined,
    needsOf: (session: SessionRecord) => string,
    { isNews = false } = {},
  ): void {
    this.#forget(id)
    const { store, recorder } = this.#options
    const session = store.sessions.get(id)
    // Somebody was faster, or the limit is a newer one.
    if (!session?.limit || session.limit.until !== until) return
    const { launch, agent } = session
    const limit = { ...session.limit, needs: needsOf(session) }
    recorder.commit((writer) => {
      writer.session({ ...session, limit })
      if (!isNews) return
      const { title } = viewOf(session)
      const message = `at its limit: ${limit.needs}`
      writer.notification({ sessionId: id, launch, kind: 'waiting', agent, title, message, at: Date.now() })
    })
  }

  stop(): void {
    this.#isStopped = true
    for (const { timer } of this.#plans.values()) clearTimeout(timer)
  }
}
