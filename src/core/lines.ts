const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

export interface LineSplitterOptions {
  /** Longer lines are cut here and reported, so that one runaway line cannot take all memory. */
  maxLineBytes?: number
  /** Called once per cut line with its whole length in bytes. */
  onOversized?: (bytes: number) => void
}

export const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024

/**
 * Bytes in, lines out. Splits at LF only: `readline` also splits at bare CR and, on newer Node, at U+2028, which
 * breaks JSON records. Works on bytes so that a character split between two chunks stays whole, and keeps the parts
 * of a long line instead of rescanning it, so the time is linear in its length.
 */
export class LineSplitter {
  readonly #maxBytes: number
  readonly #onOversized: ((bytes: number) => void) | undefined
  #parts: Buffer[] = []
  #pendingBytes = 0

  constructor(options: LineSplitterOptions = {}) {
    this.#maxBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES
    this.#onOversized = options.onOversized
  }

  /** Appends the complete lines of `chunk` to `lines`. */
  push(chunk: Buffer, lines: string[] = []): string[] {
    let start = 0
    let end = chunk.indexOf(NEWLINE)
    if (end !== -1 && this.#pendingBytes > 0) {
      this.#keep(chunk.subarray(0, end))
      lines.push(this.#take())
      start = end + 1
      end = chunk.indexOf(NEWLINE, start)
    }
    while (end !== -1) {
      lines.push(this.#decode(chunk, start, end))
      start = end + 1
      end = chunk.indexOf(NEWLINE, start)
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
    return lines
  }

  /** What stands after the last newline when the stream ends; null when there is nothing. */
  flush(): string | null {
    return this.#pendingBytes === 0 ? null : this.#take()
  }

  #keep(part: Buffer): void {
    const room = this.#maxBytes - Math.min(this.#pendingBytes, this.#maxBytes)
    this.#pendingBytes += part.length
    if (room > 0) this.#parts.push(part.length > room ? part.subarray(0, room) : part)
  }

  #take(): string {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#parts)
    if (this.#pendingBytes > this.#maxBytes) this.#onOversized?.(this.#pendingBytes)
    this.#parts = []
    this.#pendingBytes = 0
    return this.#decode(bytes, 0, bytes.length)
  }

  #decode(bytes: Buffer, start: number, end: number): string {
    let last = end
    if (last - start > this.#maxBytes) {
      this.#onOversized?.(last - start)
      last = start + this.#maxBytes
    }
    if (last > start && bytes[last - 1] === CARRIAGE_RETURN) last -= 1
    return bytes.toString('utf8', start, last)
  }
}
