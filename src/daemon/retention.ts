import type { Log } from './log.ts'
import type { Store } from './store/store.ts'

const LOOK_MS = 60_000
/** Rows that go in one step; requests come in between. */
const STEP = 2000

/** Keeps the log of changes from growing for ever. Readers that have stayed away for longer are told what they missed. */
export class Retention {
  readonly #store: Store
  readonly #keep: number
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store, keep: number, log: Log) {
    this.#store = store
    this.#keep = keep
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => this.prune(), LOOK_MS).unref()
    this.prune()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** One step; the next one follows by itself. */
  prune(): void {
    const { changes } = this.#store
    const target = changes.lastSeq - this.#keep
    if (target <= changes.horizon) return
    try {
      this.#store.transaction(() => changes.forgetUpTo(Math.min(target, changes.horizon + STEP)))
    } catch (err) {
      this.#log.warn({ err }, 'shortening the log of changes') // a full disk, or somebody has locked the database
      return
    }
    if (this.#timer !== undefined && changes.horizon < target) setImmediate(() => this.#timer && this.prune())
  }
}
