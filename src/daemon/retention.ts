import type { Log } from './log.ts'
import type { Store } from './store/store.ts'

const LOOK_MS = 60_000
/** Rows that go in one step; requests come in between. */
const STEP = 2000

/**
 * Keeps the log of changes from growing forever. Readers that have stayed away for longer are informed of what they
 * missed.
 */
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
    if (changes.mostRows <= this.#keep) return
    let isDone = false
    try {
      const tooMany = surplus(changes.countBySession(), this.#keep)
      const [next] = tooMany
      if (next) this.#store.transaction(() => changes.forgetOldest(next.sessionId, Math.min(next.rows, STEP)))
      isDone = tooMany.length === 0 || (tooMany.length === 1 && (next?.rows ?? 0) <= STEP)
    } catch (err) {
      this.#log.warn({ err }, 'shortening the log of changes') // a full disk, or somebody has locked the database
      return
    }
    if (this.#timer !== undefined && !isDone) setImmediate(() => this.#timer && this.prune())
  }
}

export interface SessionRows {
  sessionId: string
  rows: number
}

/**
 * How many rows each session has too many, so that what is left fits. All have the same share, and what one does not
 * need is for the others: a noisy session loses its own past, not that of a quiet one.
 */
function surplus(counts: readonly SessionRows[], keep: number): SessionRows[] {
  let room = keep
  let share = 0
  for (const [index, { rows }] of counts.toSorted((a, b) => a.rows - b.rows).entries()) {
    share = Math.floor(room / (counts.length - index))
    if (rows > share) break
    room -= rows
    share = Number.POSITIVE_INFINITY
  }
  return counts.flatMap(({ sessionId, rows }) => (rows > share ? [{ sessionId, rows: rows - share }] : []))
}
