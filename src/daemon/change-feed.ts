import type { LogPlace } from '../contract/api/place.ts'
import type { ChangeLog, ChangeRow } from './store/change-log.ts'
import { frameOf } from './store/wire.ts'

/** Changes as they go over the wire, up to `last`, which may be ahead of the text when others' changes were left out. */
export interface FeedPage {
  text: string
  last: number
}

interface Frame {
  seq: number
  sessionId: string
  text: string
}

const PAGE_ROWS = 256
const PAGE_CHARACTERS = 256 * 1024
// A kept change costs several times its text, since it holds on to the page that it was read with.
const RING_CHARACTERS = 1024 * 1024

/**
 * The log of changes as its readers follow it. Each reader has a place of its own and asks for what comes after it:
 * so none can miss anything, and a slow one holds nobody up and nothing in memory. The newest changes are kept at
 * hand; older ones come from the database.
 */
export class ChangeFeed {
  readonly #log: ChangeLog
  readonly #waiting = new Set<() => void>()
  #ring: Frame[] = []
  #ringCharacters = 0
  #lastSeq: number

  constructor(log: ChangeLog) {
    this.#log = log
    this.#lastSeq = log.lastSeq
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** After they are committed, and in order. */
  publish(rows: readonly ChangeRow[]): void {
    if (rows.length === 0) return
    for (const row of rows) {
      const text = this.#frame(row)
      this.#ring.push({ seq: row.seq, sessionId: row.sessionId, text })
      this.#ringCharacters += text.length
      this.#lastSeq = row.seq
    }
    this.#trim()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  /** What a reader with a position in another log gets first, and where it continues. Null: nothing. */
  begin(place: LogPlace, sessionId?: string): FeedPage | null {
    const foreign = this.#log.foreignTo(place, sessionId, this.#lastSeq)
    return foreign && { text: this.#frame(foreign), last: foreign.seq }
  }

  /** A place as readers keep it. */
  idOf(seq: number): string {
    return `${seq}.${this.#log.generations.current}`
  }

  #frame(row: ChangeRow): string {
    return frameOf(row, this.#log.generations.current)
  }

  /** What comes after a place; `text` is empty when there is nothing (yet). */
  read(after: number, sessionId?: string): FeedPage {
    if (after === this.#lastSeq) return { text: '', last: after }
    const missed = this.#log.missedAfter(after, sessionId, this.#lastSeq)
    if (missed) return { text: this.#frame(missed), last: missed.seq }
    const first = this.#ring[0]?.seq
    return first !== undefined && first <= after + 1
      ? this.#readRing(after, sessionId)
      : this.#readLog(after, sessionId)
  }

  /** Resolves when there is something new, or at the latest after `maxMs`. */
  async grown(maxMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#waiting.delete(resolve)
        resolve()
      }, maxMs)
      this.#waiting.add(resolve)
    })
    clearTimeout(timer)
  }

  #readRing(after: number, sessionId: string | undefined): FeedPage {
    let text = ''
    let last = after
    for (let at = this.#indexAfter(after); at < this.#ring.length; at++) {
      const frame = this.#ring[at]
      if (frame === undefined || text.length > PAGE_CHARACTERS) break
      last = frame.seq
      if (sessionId === undefined || frame.sessionId === sessionId) text += frame.text
    }
    return { text, last }
  }

  #readLog(after: number, sessionId: string | undefined): FeedPage {
    const { text, rows, last } = this.#log.frames(after, PAGE_ROWS, sessionId)
    // A page that is not full: nothing more of this session up to the end of what is known.
    return { text, last: rows < PAGE_ROWS ? this.#lastSeq : last }
  }

  /** Numbers may have gaps, so that the place is searched for, by halves. */
  #indexAfter(seq: number): number {
    let low = 0
    let high = this.#ring.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ring[middle]?.seq ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Dropped by halves: shifting one by one would cost with every change. */
  #trim(): void {
    if (this.#ringCharacters <= 2 * RING_CHARACTERS) return
    let drop = 0
    while (this.#ringCharacters > RING_CHARACTERS) this.#ringCharacters -= this.#ring[drop++]?.text.length ?? 0
    this.#ring = this.#ring.slice(drop)
  }
}
