const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const BYTE_ORDER_MARK = 0xfeff

export interface LineSplitterOptions {
  /** Longer lines are cut here and reported, so that one runaway line cannot take all memory. */
  maxLineBytes?: number
  /** Called once per cut line with its whole length in bytes. */
  onOversized?: (bytes: number) => void
}

export const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024

/**
 * Bytes in, lines out. Splits at LF only: `readline` also splits at bare CR and, on newer Node, at U+2028, which
 * breaks JSON records. Decodes from one line end to another, never in the middle of a character, and all complete
 * lines of a chunk at once, which is cheaper than one by one. Keeps the parts of a long line instead of rescanning
 * it, so the time is linear in its length.
 */
export class LineSplitter {
  readonly #maxBytes: number
  readonly #onOversized: ((bytes: number) => void) | undefined
  #parts: Buffer[] = []
  #pendingBytes = 0
  #begun = false

  constructor(options: LineSplitterOptions = {}) {
    this.#maxBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES
    this.#onOversized = options.onOversized
  }

  /** The lines that this chunk completes. */
  push(chunk: Buffer): string[] {
    const last = chunk.lastIndexOf(NEWLINE)
    if (last === -1) {
      this.#keep(chunk)
      return []
    }
    const lines: string[] = []
    let start = 0
    if (this.#pendingBytes > 0) {
      start = chunk.indexOf(NEWLINE) + 1
      this.#keep(chunk.subarray(0, start - 1))
      lines.push(this.#take())
    }
    if (start <= last) this.#decode(chunk.subarray(start, last), lines)
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1))
    if (!this.#begun) lines[0] = this.#begin(lines[0] ?? '')
    return lines
  }

  /** What is after the last newline when the stream ends; null when there is nothing. */
  flush(): string | null {
    if (this.#pendingBytes === 0) return null
    return this.#begun ? this.#take() : this.#begin(this.#take())
  }

  /** The first line, without the mark that some programs and editors put before a text. */
  #begin(line: string): string {
    this.#begun = true
    return line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line
  }

  #decode(bytes: Buffer, lines: string[]): void {
    // Only one chunk that is larger than the cap could hold a line beyond it without passing through `#keep`.
    if (bytes.length > this.#maxBytes) this.#decodeOneByOne(bytes, lines)
    else for (const line of bytes.toString('utf8').split('\n')) lines.push(withoutCarriageReturn(line))
  }

  #decodeOneByOne(bytes: Buffer, lines: string[]): void {
    for (let start = 0; start <= bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start)
      const end = found === -1 ? bytes.length : found
      this.#keep(bytes.subarray(start, end))
      lines.push(this.#take())
      start = end + 1
    }
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
    return withoutCarriageReturn(bytes.toString('utf8'))
  }
}

function withoutCarriageReturn(line: string): string {
  return line.charCodeAt(line.length - 1) === CARRIAGE_RETURN ? line.slice(0, -1) : line
}
