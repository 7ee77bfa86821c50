import { createReadStream } from 'node:fs'
import { LineSplitter } from '../core/lines.ts'
import type { KeptInput } from '../engine/rederive.ts'
import type { InputPosition, RunInput } from '../engine/run-input.ts'
import { AppendFile } from './append-file.ts'
import { bodyOf, type Frame, type FrameBody, keptInput, type LogHeader } from './frames.ts'
import { KeyLines } from './private-key.ts'

export type Redact = (text: string) => string

/** The durable log of what a run was given: frames with numbers and times, one a line. */
export class NativeLog {
  readonly #file: AppendFile
  readonly #redact: Redact
  readonly #keys = { out: new KeyLines(), err: new KeyLines() }
  #last = 0
  /** The frame that the inputs told last and by themselves begin with, and their time. */
  #first = 0
  #time = 0
  #failure: { error: unknown } | null = null

  constructor(path: string, redact: Redact) {
    this.#file = new AppendFile(path)
    this.#redact = redact
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
    for (const body of bodies) {
      n += 1
      const of = bodies.length > 1 && n === this.#last + 1 ? `,"of":${bodies.length}` : ''
      const place = during ? `,"in":[${during[0]},${during[1]}]` : ''
      text += `{"n":${n},"t":${time}${of}${place},"kind":"${body.kind}","data":${this.#encode(body)}}\n`
    }
    this.#file.append(text)
    this.#last = n
  }

  #encode({ kind, data }: FrameBody): string {
    if (typeof data !== 'string') return this.#redact(JSON.stringify(data))
    // A line is redacted as it is, since one that is JSON itself would look different once it is quoted.
    const line = kind === 'out' || kind === 'err' ? this.#keys[kind].take(data) : data
    return JSON.stringify(this.#redact(line))
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure) throw failure.error
  }
}

function parseFrame(line: string): Frame | null {
  try {
    const frame: Frame = JSON.parse(line)
    return typeof frame?.n === 'number' ? frame : null
  } catch {
    return null // the last line of a log whose writer was killed
  }
}

/** Every whole frame of a log. */
async function* readFrames(path: string): AsyncGenerator<Frame> {
  const splitter = new LineSplitter()
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    for (const line of splitter.push(chunk)) {
      const frame = parseFrame(line)
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
