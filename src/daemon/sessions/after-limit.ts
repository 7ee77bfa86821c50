import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { SessionRecord } from './record.ts'
import { GO_ON, type Restorer } from './restore.ts'
import type { Sessions } from './sessions.ts'

export interface AfterLimitOptions {
  store: Store
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

interface Plan {
  until: number
  isLive: boolean
  timer: NodeJS.Timeout
}

/**
 * Lets sessions go on that a limit has stopped, when it is over. One that has exited is put into the queue, where it
 * waits for its agent like all others; one that lives is told to go on. What is planned is in the session's record,
 * so that the next daemon does it when this one does not live that long.
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

  consider({ id, limit, isLive, killedBecause, mode }: SessionRecord): void {
    if (!limit || killedBecause !== null || mode === 'terminal') {
      this.#forget(id)
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
    const { store, sessions, restorer } = this.#options
    const session = store.sessions.get(id)
    // Somebody was faster, or the limit is a newer one.
    if (session?.limit?.until !== until || session.killedBecause !== null) return
    if (session.isLive && Date.now() < until) return this.consider(session)
    const key = `after-limit-${until}`
    if (session.isLive) await sessions.send({ id, text: GO_ON, key })
    else if ((await restorer.plan(id)).kind === 'native') await restorer.restore({ id, prompt: GO_ON, key })
  }

  stop(): void {
    this.#isStopped = true
    for (const { timer } of this.#plans.values()) clearTimeout(timer)
  }
}
