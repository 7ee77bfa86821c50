import type { UsageRow } from '../contract/session-store.ts'
import { IndexDamage } from './index-damage.ts'

/** The columns of a row. */
const KEY = 0
const AT = 1
const MODEL = 2
const INPUT = 3
const OUTPUT = 4
const THINKING = 5
const CACHE_READ = 6
const CACHE_CREATION = 7
/** What the agent says that it has cost. */
const REPORTED = 8
/** What it costs at list prices. */
const LIST = 9
/** What we say that it has cost; NaN, as in the two before, when nobody knows. */
const COST = 10
const KIND = 11
const WIDTH = 12

/** A helper is a sum of what no transcript shows, not one request. What is copied counts in another session. */
export const Kind = { request: 0, copiedRequest: 1, helper: 2, copiedHelper: 3 } as const
const KIND_BITS = 3
/** Beside the kind: the cost is a share of what the agent said of the whole session. */
const SHARED_BIT = 4

/**
 * A text as a number of 53 bits: among a million requests two of them meet with a chance of one to ten thousand. With
 * numbers for keys all that is known of a source's requests is one block of numbers, which costs a tenth of what
 * rows in a table do.
 */
export function keyOf(text: string): number {
  let low = 0x811c9dc5
  let high = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5bd1e995)
    high ^= high >>> 15
  }
  high = Math.imul(high ^ (low >>> 13), 0x85ebca6b)
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0)
}

export interface Sums {
  input: number
  output: number
  thinking: number
  cacheRead: number
  cacheCreation: number
  /** Of the requests with a price; null when none has one. */
  usd: number | null
  /** How many of these requests have a list price only. */
  estimated: number
  /** Tokens without one. */
  unpriced: number
  copies: number
}

const known = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value)

/** All requests of one source: rows of numbers, and the models that they name. */
export class Requests {
  readonly models: string[]
  #values: Float64Array
  #length: number

  constructor(models: readonly string[] = [], values = new Float64Array(0)) {
    this.models = [...models]
    this.#values = values
    this.#length = values.length / WIDTH
  }

  static unpack(bytes: Uint8Array, models: readonly string[]): Requests {
    if (bytes.length % (WIDTH * Float64Array.BYTES_PER_ELEMENT) !== 0) throw new IndexDamage('Half a row of requests')
    // Numbers must be aligned to their size, and those from a database may not be.
    return new Requests(models, new Float64Array(bytes.slice().buffer))
  }

  pack(): Uint8Array {
    const used = this.#values.subarray(0, this.#length * WIDTH)
    return new Uint8Array(used.buffer, used.byteOffset, used.byteLength)
  }

  /** The keys of the requests alone, for a look at whether others have them, too. */
  packKeys(): Uint8Array {
    const keys = new Float64Array(this.#length)
    let count = 0
    for (let row = 0; row < this.#length; row++) if (!this.isHelper(row)) keys[count++] = this.#get(row, KEY)
    return new Uint8Array(keys.buffer, 0, count * keys.BYTES_PER_ELEMENT)
  }

  get length(): number {
    return this.#length
  }

  #get(row: number, column: number): number {
    return this.#values[row * WIDTH + column] ?? Number.NaN
  }

  key(row: number): number {
    return this.#get(row, KEY)
  }

  at(row: number): number {
    return this.#get(row, AT)
  }

  /** Empty when it is not reported. */
  model(row: number): string {
    return this.models[this.#get(row, MODEL)] ?? ''
  }

  kind(row: number): number {
    return this.#get(row, KIND) & KIND_BITS
  }

  setKind(row: number, kind: number): void {
    this.#values[row * WIDTH + KIND] = (this.#get(row, KIND) & SHARED_BIT) | kind
  }

  isHelper(row: number): boolean {
    return this.kind(row) >= Kind.helper
  }

  /** What its share of a sum is measured by. */
  listPrice(row: number): number | null {
    return known(this.#get(row, LIST))
  }

  /** Its share of a sum that the agent reported, unless it reported the cost of this one. */
  setShare(row: number, usd: number): void {
    const reported = this.#get(row, REPORTED)
    this.#values[row * WIDTH + COST] = Number.isNaN(reported) ? usd : reported
    this.#values[row * WIDTH + KIND] = this.kind(row) | SHARED_BIT
  }

  /** Its cost is what list prices say. */
  #isEstimated(row: number): boolean {
    const isReported = !Number.isNaN(this.#get(row, REPORTED)) || (this.#get(row, KIND) & SHARED_BIT) !== 0
    return !isReported && !this.isUnpriced(row)
  }

  counts(row: number): Omit<UsageRow, 'key' | 'at'> {
    return {
      model: this.model(row),
      inputTokens: this.#get(row, INPUT),
      outputTokens: this.#get(row, OUTPUT),
      thinkingTokens: this.#get(row, THINKING),
      cacheReadTokens: this.#get(row, CACHE_READ),
      cacheCreationTokens: this.#get(row, CACHE_CREATION),
    }
  }

  /** Adds rows; one whose key is there takes its place. */
  add(rows: readonly UsageRow[], price: (row: UsageRow) => number | null, kind: number = Kind.request): void {
    const known = this.#places()
    this.#makeRoom(rows.length)
    for (const row of rows) {
      const key = keyOf(row.key)
      const place = known?.get(key) ?? this.#length
      if (place === this.#length) this.#length += 1
      this.#put(place, key, row, price(row), kind)
    }
  }

  /** Where each key is; null while there is none. */
  #places(): Map<number, number> | null {
    if (this.#length === 0) return null
    const places = new Map<number, number>()
    for (let row = 0; row < this.#length; row++) places.set(this.#get(row, KEY), row)
    return places
  }

  #makeRoom(rows: number): void {
    const needed = (this.#length + rows) * WIDTH
    if (needed <= this.#values.length) return
    const values = new Float64Array(needed)
    values.set(this.#values)
    this.#values = values
  }

  #put(place: number, key: number, row: UsageRow, list: number | null, kind: number): void {
    const values = this.#values
    const start = place * WIDTH
    values[start + KEY] = key
    values[start + AT] = row.at
    values[start + MODEL] = this.#modelIndex(row.model ?? '')
    values[start + INPUT] = row.inputTokens
    values[start + OUTPUT] = row.outputTokens
    values[start + THINKING] = row.thinkingTokens
    values[start + CACHE_READ] = row.cacheReadTokens
    values[start + CACHE_CREATION] = row.cacheCreationTokens
    values[start + REPORTED] = row.costUsd ?? Number.NaN
    values[start + LIST] = list ?? Number.NaN
    values[start + COST] = row.costUsd ?? list ?? Number.NaN
    values[start + KIND] = kind
  }

  #modelIndex(name: string): number {
    const index = this.models.indexOf(name)
    return index === -1 ? this.models.push(name) - 1 : index
  }

  dropHelpers(): void {
    let kept = 0
    for (let row = 0; row < this.#length; row++) {
      if (this.isHelper(row)) continue
      this.#values.copyWithin(kept * WIDTH, row * WIDTH, (row + 1) * WIDTH)
      kept += 1
    }
    this.#length = kept
  }

  isUnpriced(row: number): boolean {
    return Number.isNaN(this.#get(row, COST))
  }

  /** Of all that counts here. */
  sum(): Sums {
    const sums = noSums()
    for (let row = 0; row < this.#length; row++) if (!this.sumRow(row, sums)) sums.copies += 1
    return sums
  }

  /** False for what counts elsewhere, which is not added. */
  sumRow(row: number, sums: Sums): boolean {
    if (this.kind(row) % 2 === 1) return false
    const [input, output, cost] = [this.#get(row, INPUT), this.#get(row, OUTPUT), this.#get(row, COST)]
    sums.input += input
    sums.output += output
    sums.thinking += this.#get(row, THINKING)
    sums.cacheRead += this.#get(row, CACHE_READ)
    sums.cacheCreation += this.#get(row, CACHE_CREATION)
    if (Number.isNaN(cost)) sums.unpriced += input + output
    else sums.usd = (sums.usd ?? 0) + cost
    if (this.#isEstimated(row)) sums.estimated += 1
    return true
  }
}

export function noSums(): Sums {
  const counts = { input: 0, output: 0, thinking: 0, cacheRead: 0, cacheCreation: 0 }
  return { ...counts, usd: null, estimated: 0, unpriced: 0, copies: 0 }
}
