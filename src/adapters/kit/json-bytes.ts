const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const SPACE = 0x20

/** Up to this many bytes a loop is faster than a call into the runtime, which then finds a quote at memory speed. */
const SHORT = 40

/** The place after the string that opens at `at`; -1 when the bytes end before it does. */
function skipString(bytes: Buffer, at: number, end: number): number {
  const start = at + 1
  for (let i = start, isSparse = false; ; i++) {
    const from = i
    if (!isSparse) {
      const limit = Math.min(i + SHORT, end)
      while (i < limit && bytes[i] !== QUOTE) i += 1
    }
    if (bytes[i] !== QUOTE) i = bytes.indexOf(QUOTE, i)
    if (i === -1 || i >= end) return -1
    if (bytes[i - 1] !== BACKSLASH || !isEscaped(bytes, i, start)) return i + 1
    // Where quotes in the text are far apart, the loop would only look at what the runtime passes over.
    isSparse = i - from > SHORT
  }
}

/** Whether the byte at `at` has an odd number of backslashes before it. */
function isEscaped(bytes: Buffer, at: number, start: number): boolean {
  let before = at - 1
  while (before >= start && bytes[before] === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}

/** The place after the value at `at`; -1 when the bytes end before it does. */
export function skipValue(bytes: Buffer, at: number, end: number): number {
  let depth = 0
  for (let i = at; i < end; ) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      i = skipString(bytes, i, end)
      if (i === -1 || depth === 0) return i
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1
      i += 1
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return i
      depth -= 1
      i += 1
      if (depth === 0) return i
    } else if (byte === COMMA && depth === 0) return i
    else i += 1
  }
  return -1
}

/**
 * Walks the members of one JSON object in its bytes and decodes nothing that is not asked for: transcripts are mostly
 * long strings, of which a count of tokens needs none.
 */
export class MemberCursor {
  #bytes: Buffer = Buffer.alloc(0)
  #end = 0
  #next = -1
  /** After the object itself, once all its members have been walked; -1 when it was cut off. */
  after = -1
  #keyStart = 0
  #keyEnd = 0
  /** Where the value of the current member starts. */
  valueStart = 0

  /** False when no object starts at `at`. */
  open(bytes: Buffer, at: number, end: number): boolean {
    this.#bytes = bytes
    this.#end = end
    this.valueStart = 0
    this.after = -1
    this.#next = bytes[at] === OPEN_BRACE ? at + 1 : -1
    return this.#next !== -1
  }

  /** On to the next member; false at the end of the object, or where the bytes are no JSON. */
  next(): boolean {
    const bytes = this.#bytes
    if (this.valueStart !== 0) this.#next = this.valueEnd()
    let at = this.#next
    if (at === -1) return this.#stop(-1)
    while (bytes[at] === COMMA || bytes[at] === SPACE) at += 1
    if (bytes[at] !== QUOTE) return this.#stop(bytes[at] === CLOSE_BRACE ? at + 1 : -1)
    this.#keyStart = at + 1
    at = skipString(bytes, at, this.#end)
    this.#keyEnd = at - 1
    while (bytes[at] === SPACE) at += 1
    if (at === -1 || bytes[at] !== COLON) return this.#stop(-1)
    at += 1
    while (bytes[at] === SPACE) at += 1
    this.valueStart = at
    this.#next = -1
    return at < this.#end
  }

  #stop(after: number): boolean {
    this.valueStart = 0
    this.#next = -1
    this.after = after
    return false
  }

  /** After the current value; -1 when the bytes end before it does. */
  valueEnd(): number {
    if (this.#next === -1) this.#next = skipValue(this.#bytes, this.valueStart, this.#end)
    return this.#next
  }

  /** Goes through the value of the current member, an object. What it has found the end of is not skipped again. */
  enter(inner: MemberCursor): boolean {
    return inner.open(this.#bytes, this.valueStart, this.#end)
  }

  /** After `inner` has come to its end. */
  leave(inner: MemberCursor): void {
    this.#next = inner.after
  }

  /** Where the current value ends, when that is known already. */
  continueAt(after: number): void {
    this.#next = after
  }

  /** True after a walk to the end of a complete object. */
  get isWhole(): boolean {
    return this.after !== -1
  }

  /** Cheaper to compare than the name itself. */
  get keyLength(): number {
    return this.#keyEnd - this.#keyStart
  }

  isKey(name: Buffer): boolean {
    if (this.#keyEnd - this.#keyStart !== name.length) return false
    for (let i = 0; i < name.length; i++) if (this.#bytes[this.#keyStart + i] !== name[i]) return false
    return true
  }

  /** Whether the value is this very text; `quoted` holds it with its quotes. */
  isValue(quoted: Buffer): boolean {
    for (let i = 0; i < quoted.length; i++) if (this.#bytes[this.valueStart + i] !== quoted[i]) return false
    return true
  }

  isTrue(): boolean {
    return this.#bytes[this.valueStart] === 0x74
  }

  /** The value when it is a string. */
  text(): string | undefined {
    const start = this.valueStart
    if (this.#bytes[start] !== QUOTE) return undefined
    const end = this.valueEnd()
    if (end === -1) return undefined
    const inner = this.#bytes.toString('utf8', start + 1, end - 1)
    if (!inner.includes('\\')) return inner
    const value: unknown = JSON.parse(`"${inner}"`)
    return typeof value === 'string' ? value : undefined
  }

  /** The same; `known` itself when it is the same, as it mostly is where names repeat. */
  textLike(known: string): string | undefined {
    const bytes = this.#bytes
    const start = this.valueStart
    if (bytes[start] !== QUOTE) return undefined
    const end = start + known.length + 1
    if (bytes[end] !== QUOTE) return this.text()
    for (let i = 0; i < known.length; i++) {
      const code = known.charCodeAt(i)
      if (bytes[start + 1 + i] !== code || code === BACKSLASH || code > 0x7f) return this.text()
    }
    this.#next = end + 1
    return known
  }

  /** The value when it is a whole number, else 0. */
  count(): number {
    let value = 0
    for (let at = this.valueStart; ; at++) {
      const digit = (this.#bytes[at] ?? 0) - 0x30
      if (digit < 0 || digit > 9) return value
      value = value * 10 + digit
    }
  }

  /** The value when it is a time as `Date.toISOString` writes it, in epoch milliseconds. */
  time(): number | undefined {
    return isoTime(this.#bytes, this.valueStart + 1)
  }
}

function digits(bytes: Buffer, at: number, length: number): number {
  let value = 0
  for (let i = at; i < at + length; i++) value = value * 10 + (bytes[i] ?? 0) - 0x30
  return value
}

let dayKey = -1
let dayStart = 0

/** `2026-11-15T18:58:31.649Z`. Most times in a row are of one day, so its start is kept. */
function isoTime(bytes: Buffer, at: number): number | undefined {
  if (bytes[at + 10] !== 0x54 || bytes[at + 23] !== 0x5a) {
    const time = Date.parse(bytes.toString('latin1', at, bytes.indexOf(QUOTE, at)))
    return Number.isNaN(time) ? undefined : time
  }
  const key = (digits(bytes, at, 4) * 100 + digits(bytes, at + 5, 2)) * 100 + digits(bytes, at + 8, 2)
  if (key !== dayKey) {
    dayStart = Date.UTC(Math.floor(key / 10_000), (Math.floor(key / 100) % 100) - 1, key % 100)
    dayKey = key
  }
  const clock = digits(bytes, at + 11, 2) * 3600 + digits(bytes, at + 14, 2) * 60 + digits(bytes, at + 17, 2)
  const time = dayStart + clock * 1000 + digits(bytes, at + 20, 3)
  return Number.isNaN(time) ? undefined : time
}
