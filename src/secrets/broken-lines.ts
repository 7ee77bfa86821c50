import { maskOf } from './mask.ts'
import type { Redact } from './redact.ts'
import { isFull } from './wrapped.ts'

/** No secret fills more lines, but for private keys, which have their own rules. */
const MAX_LINES = 12
const GOES_ON = /[\w+/=.~:@%-][ \t]*$/
const CONTINUES = /^[ \t]*[\w+/=.~:@%-]/

interface Line {
  frame: number
  raw: string
  written: string
}

/** A line that was written before and is to be masked now. */
interface LateMask {
  frame: number
  is: string
  becomes: string
}

/** Masks secrets that are wrapped over several lines, when each line comes on its own as plain text. */
export class BrokenLines {
  readonly #redact: Redact
  #lines: Line[] = []

  constructor(redact: Redact) {
    this.#redact = redact
  }

  /** How this line is to be written, and which earlier ones belong to the same secret. */
  take(raw: string, frame: number): { written: string; late: LateMask[] } {
    const line: Line = { frame, raw, written: this.#redact(raw) }
    const last = this.#lines.at(-1)?.raw ?? ''
    const isNext = isFull(last, 0, last.length) && GOES_ON.test(last) && CONTINUES.test(raw)
    this.#lines = isNext ? [...this.#lines, line].slice(-MAX_LINES) : [line]
    const first = isNext ? this.#firstOfSecret() : -1
    if (first < 0) return { written: line.written, late: [] }
    const late: LateMask[] = []
    for (const one of this.#lines.slice(first)) {
      const becomes = maskOf(one.written)
      if (one !== line && becomes !== one.written) late.push({ frame: one.frame, is: one.written, becomes })
      one.written = becomes
    }
    return { written: line.written, late }
  }

  /** The line in which a secret begins that goes on into the last one; -1 when there is none. */
  #firstOfSecret(): number {
    const raws = this.#lines.map(({ raw }) => raw)
    const last = raws.at(-1) ?? ''
    for (let first = raws.length - 2; first >= 0; first--) {
      const apart = `${this.#redact(raws.slice(first, -1).join('\n'))}\n${this.#redact(last)}`
      if (this.#redact(raws.slice(first).join('\n')) !== apart) return first
    }
    return -1
  }
}
