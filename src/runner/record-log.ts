import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fact } from '../contract/activity.ts'
import { serializeEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'
import { LAUNCH_FILES, type LaunchRecord } from '../contract/launch.ts'
import type { QuotaStatus } from '../contract/quota.ts'
import type { DeltaGuard, GuardedEvent } from '../secrets/delta-guard.ts'
import type { Redact } from '../secrets/redact.ts'
import { AppendFile } from './append-file.ts'
import { extractBlobs } from './blobs.ts'
import { InputPieces, type PiecedEvent } from './input-pieces.ts'
import { maskPieces } from './mask-pieces.ts'
import { Progress } from './progress.ts'
import { parseRecordLine } from './read-records.ts'

/** Longer records are looked through for values that go to files of their own. */
const MAX_RECORD_CHARACTERS = 64 * 1024

/** Pieces of a tool's input wait so long for the next ones. */
const PIECES_MS = 200

/** What came of a launch, numbered, one record a line. */
export class RecordLog {
  readonly #file: AppendFile
  readonly #blobs: string
  readonly #native: string
  readonly #redact: Redact
  readonly #guard: DeltaGuard
  #records: number
  #pending = ''
  readonly #inputs = new InputPieces()
  readonly #onDelayed: (() => void) | null
  #timer: NodeJS.Timeout | undefined
  /** Characters that an earlier process has held back, until they are taken up. */
  #heldBefore: number | null

  /** `onDelayed`: what has waited for a moment is on disk. Without it, it waits for what comes next, or for the end. */
  constructor(launchDir: string, redact: Redact, guard: DeltaGuard, onDelayed: (() => void) | null = null) {
    this.#onDelayed = onDelayed
    this.#file = new AppendFile(join(launchDir, LAUNCH_FILES.records))
    this.#blobs = join(launchDir, LAUNCH_FILES.blobs)
    this.#native = join(launchDir, LAUNCH_FILES.native)
    this.#redact = redact
    this.#guard = guard
    this.#records = this.#newest().next().value?.n ?? 0
    this.#heldBefore = this.#newestHeld()
  }

  /** The number of the last record. */
  get records(): number {
    return this.#records
  }

  /** How long the file is. */
  get offset(): number {
    return this.#file.size
  }

  /** Which of the events that are made again are on disk. */
  progress(): Progress {
    const progress = new Progress()
    for (const record of this.#newest()) if ('event' in record && !progress.take(record)) break
    return progress
  }

  #newestHeld(): number {
    for (const record of this.#newest()) if ('event' in record) return record.held ?? 0
    return 0
  }

  *#newest(): Generator<LaunchRecord> {
    for (const line of this.#file.linesFromEnd()) {
      const record = parseRecordLine(line)
      if (record) yield record
    }
  }

  /** One of the events that are on disk, in their order; all of them before the first that is added. */
  skipEvent(event: AgentEvent, frame: number): void {
    // After the first that is added: the pieces of calls side by side were not all written.
    if (this.#heldBefore !== null) this.#guard.skip(event, frame)
  }

  addEvent(event: AgentEvent, frame: number): void {
    this.#resume()
    for (const one of this.#guard.pass(event, frame)) this.#take(one)
  }

  #take(one: GuardedEvent): void {
    if (one.pieces.length > 0) maskPieces(this.#native, one.pieces)
    for (const next of this.#inputs.take(one, Date.now())) this.#add(next)
  }

  #resume(): void {
    if (this.#heldBefore !== null) this.#guard.resume(this.#heldBefore)
    this.#heldBefore = null
  }

  #add({ event, frame, held, isAdded, events }: PiecedEvent): void {
    this.#records += 1
    const n = this.#records
    const text = this.#redact(serializeEvent(event))
    if (text.length <= MAX_RECORD_CHARACTERS) {
      const marks = `${held > 0 ? `"held":${held},` : ''}${isAdded ? '"added":true,' : ''}${events > 1 ? `"events":${events},` : ''}`
      this.#pending += `{"n":${n},"frame":${frame},${marks}"event":${text}}\n`
      return
    }
    const extracted = extractBlobs(JSON.parse(text), n)
    for (const { file, content } of extracted.contents) this.#writeBlob(file, content)
    const marks = { held: held || undefined, added: isAdded || undefined, events: events > 1 ? events : undefined }
    this.#pending += `${JSON.stringify({ n, frame, ...marks, event: extracted.value, blobs: extracted.blobs })}\n`
  }

  addFact(fact: Fact): void {
    this.#releaseInputs()
    this.#records += 1
    this.#pending += `${this.#redact(JSON.stringify({ n: this.#records, fact }))}\n`
  }

  addQuota(quota: QuotaStatus): void {
    this.#releaseInputs()
    this.#records += 1
    this.#pending += `${this.#redact(JSON.stringify({ n: this.#records, quota }))}\n`
  }

  #releaseInputs(): void {
    for (const one of this.#inputs.release()) this.#add(one)
  }

  /** Pieces that wait are written when their time has come, whatever happens. */
  #mindInputs(): void {
    const { since } = this.#inputs
    if (since === null || this.#onDelayed === null) return
    if (Date.now() - since >= PIECES_MS) this.#releaseInputs()
    else this.#timer ??= setTimeout(() => this.#late(), PIECES_MS)
  }

  #late(): void {
    this.#timer = undefined
    this.#releaseInputs()
    try {
      if (this.flush()) this.#onDelayed?.()
    } catch {
      // It is still to be written: the next input says that it cannot be.
    }
  }

  /** Writes what was added. True: there was something. After an error it is still to be written. */
  flush(): boolean {
    this.#mindInputs()
    if (this.#pending === '') return false
    this.#file.append(this.#pending)
    this.#pending = ''
    return true
  }

  sync(): void {
    this.#file.sync()
  }

  close(): void {
    this.#resume()
    for (const one of this.#guard.release()) this.#take(one)
    this.#releaseInputs()
    clearTimeout(this.#timer)
    this.flush()
    this.#file.close()
  }

  #writeBlob(file: string, content: string): void {
    if (!existsSync(this.#blobs)) mkdirSync(this.#blobs, { mode: 0o700 }) // never the launch's own again
    writeFileSync(join(this.#blobs, file), content, { mode: 0o600 })
  }
}
