import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { AgentMuxError } from '../contract/errors.ts'
import { LineSplitter } from '../core/lines.ts'
import type { KeptInput } from '../engine/rederive.ts'
import type { InputPosition, RunInput } from '../engine/run-input.ts'
import { DamagedFile } from '../files/read-own-file.ts'
import { BrokenLines } from '../secrets/broken-lines.ts'
import type { SecretPiece } from '../secrets/delta-guard.ts'
import { KeyLines } from '../secrets/private-key.ts'
import type { Redact } from '../secrets/redact.ts'
import { AlikeLines, WholeLines } from './alike-lines.ts'
import { AppendFile, MAX_LINE_BYTES } from './append-file.ts'
import { bodyOf, type Frame, type FrameBody, keptInput, type LogHeader } from './frames.ts'
import { maskPieces } from './mask-pieces.ts'

/** The durable log of what a run was given: frames with numbers and times, one a line. */
export class NativeLog {
  readonly #file: AppendFile
  readonly #redact: Redact
  readonly #maxBytes: number
  readonly #path: string
  readonly #keys = { out: new KeyLines(), err: new KeyLines() }
  readonly #broken: { out: BrokenLines; err: BrokenLines }
  #alike = { out: new AlikeLines(), err: new AlikeLines() }
  #last = 0
  /** The frame that the inputs of the last batch begin with, and their time. */
  #first = 0
  #time = 0
  #failure: { error: unknown } | null = null

  constructor(path: string, redact: Redact, maxBytes: number = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes
    this.#file = new AppendFile(path)
    this.#redact = redact
    this.#path = path
    this.#broken = { out: new BrokenLines(redact), err: new BrokenLines(redact) }
    for (const line of this.#file.linesFromEnd()) {
      this.#last = parseFrame(line)?.n ?? 0
      break
    }
  }

  get first(): number {
    return this.#first
  }

  /** Keeps inputs, and returns their time. Throws when they cannot be kept. */
  inputs(inputs: readonly RunInput[], during: InputPosition | null, time = Date.now()): number {
    this.#throwFailure()
    const isEnd = inputs[0]?.kind === 'finish'
    if (this.#file.size > this.#maxBytes && !isEnd) throw tooLong(this.#maxBytes)
    if (!during) {
      this.#first = this.#last + 1
      this.#time = time
    }
    const place: [number, number] | undefined = during ? [this.#first + during.index, during.events] : undefined
    this.#write(inputs.map(bodyOf), this.#time, place)
    return this.#time
  }

  begin(header: LogHeader): void {
    this.#write([{ kind: 'begin', data: header }], Date.now())
  }

  /** Something that the events do not depend on. When it cannot be kept, the next input cannot either. */
  note(body: FrameBody): void {
    try {
      this.#write([body], Date.now())
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  /** A command from outside: it is not to be carried out if this throws. */
  control(key: string, command: string): void {
    this.#write([{ kind: 'control', data: { key, command } }], Date.now())
  }

  sync(): void {
    this.#file.sync()
  }

  close(): void {
    this.#file.close()
  }

  #write(bodies: readonly FrameBody[], time: number, during?: [number, number]): void {
    let n = this.#last
    let text = ''
    const late: SecretPiece[] = []
    for (const body of bodies) {
      n += 1
      const of = bodies.length > 1 && n === this.#last + 1 ? `,"of":${bodies.length}` : ''
      const place = during ? `,"in":[${during[0]},${during[1]}]` : ''
      text += `{"n":${n},"t":${time}${of}${place},"kind":"${body.kind}",${this.#encode(body, n, late)}}\n`
    }
    try {
      this.#file.append(text)
    } catch (error) {
      // No line may be like one that is not there.
      this.#alike = { out: new AlikeLines(), err: new AlikeLines() }
      throw error
    }
    this.#last = n
    if (late.length > 0) maskPieces(this.#path, late)
  }

  #encode({ kind, data }: FrameBody, n: number, late: SecretPiece[]): string {
    if (typeof data !== 'string') return `"data":${this.#redact(JSON.stringify(data))}`
    // A line is redacted as it is, since one that is JSON itself would look different once it is quoted.
    if (kind !== 'out' && kind !== 'err') return `"data":${JSON.stringify(this.#redact(data))}`
    const line = this.#keys[kind].take(data)
    const isRecord = line.startsWith('{')
    const taken = isRecord ? { written: this.#redact(line), late: [] } : this.#broken[kind].take(line, n)
    late.push(...taken.late)
    const alike = this.#alike[kind].shorten(taken.written, n)
    if (alike === null) return `"data":${JSON.stringify(taken.written)}`
    return `"like":${alike.like},"at":${JSON.stringify(alike.at)},"data":${JSON.stringify(alike.data)}`
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure) throw failure.error
  }
}

function tooLong(maxBytes: number): AgentMuxError {
  const message = `The agent has said more than ${Math.round(maxBytes / 1024 ** 2)} MB in this launch, and was ended`
  return new AgentMuxError('STORAGE_ERROR', message, {
    hint: 'Restore the session to go on, or set daemon.maxLogBytes in config.json.',
  })
}

function parseFrame(line: string): Frame | null {
  try {
    const frame: Frame = JSON.parse(line)
    return typeof frame?.n === 'number' ? frame : null
  } catch {
    return null // the last line of a log whose writer was killed
  }
}

/** Makes the lines of a log whole that were shortened; without them a frame is as good as damaged. */
class WholeFrames {
  readonly #lines = { out: new WholeLines(), err: new WholeLines() }

  take(frame: Frame): Frame | null {
    if (frame.kind !== 'out' && frame.kind !== 'err') return frame
    const lines = this.#lines[frame.kind]
    const { like, at, ...rest } = frame
    if (like === undefined || at === undefined) {
      lines.keep(frame.data, frame.n)
      return frame
    }
    const data = lines.restore({ like, at, data: frame.data })
    return data === null ? null : { ...rest, data }
  }
}

/** Every whole frame of a log. */
async function* readFrames(path: string): AsyncGenerator<Frame> {
  const splitter = new LineSplitter()
  const stats = await stat(path)
  if (!stats.isFile()) throw new DamagedFile(path, 'it is not a file')
  let unfinished = 0
  const whole = new WholeFrames()
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const lines = splitter.push(chunk)
    unfinished = lines.length > 0 ? 0 : unfinished + chunk.length
    if (unfinished > MAX_LINE_BYTES) throw new DamagedFile(path, 'it holds a line without an end')
    for (const line of lines) {
      const written = parseFrame(line)
      const frame = written && whole.take(written)
      if (frame) yield frame
    }
  }
}

/** Inputs that were kept together, and those that came while they were interpreted. */
export interface InputGroup {
  inputs: KeptInput[]
  nested: KeptInput[]
}

/** Null when there is no log, or nothing in it yet. */
export async function readHeader(path: string): Promise<LogHeader | null> {
  try {
    for await (const frame of readFrames(path)) return frame.kind === 'begin' ? frame.data : null
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  return null
}

/** The inputs in a log, in the groups in which they have to be interpreted. */
export async function* readInputs(path: string): AsyncGenerator<InputGroup> {
  let group: InputGroup | null = null
  let missing = 0
  for await (const frame of readFrames(path)) {
    const kept = keptInput(frame)
    if (!kept) continue
    if (kept.during) group?.nested.push(kept)
    else if (missing > 0) {
      group?.inputs.push(kept)
      missing -= 1
    } else {
      if (group) yield group
      group = { inputs: [kept], nested: [] }
      missing = (frame.of ?? 1) - 1
    }
  }
  if (group) yield group
}
