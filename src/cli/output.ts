import { styleText } from 'node:util'
import { isAgentMuxError } from '../contract/errors.ts'
import { wrapWords } from './run/text-flow.ts'
import { own, terminalText } from './terminal-text.ts'

export type Style = Parameters<typeof styleText>[0]
/** Text with a style, or as it is when the stream has no colours. */
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_style, text) => text

type Environment = Readonly<Record<string, string | undefined>>

/** The part of a process stream that we use, so that tests can pass their own. */
export interface TextStream {
  write(text: string): boolean
  once(event: 'drain', listener: () => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

export function wantsColor(stream: TextStream, env: Environment, noColorFlag = false): boolean {
  if (noColorFlag || (env.NO_COLOR ?? '') !== '') return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return stream.isTTY === true && env.TERM !== 'dumb'
}

const SPLIT = '|'

/** The one way out: what is written to a terminal cannot steer it. */
class GuardedStream implements TextStream {
  readonly #stream: TextStream
  readonly #isTerminal: boolean

  constructor(stream: TextStream, env: Environment) {
    this.#stream = stream
    // With forced colours a pager is there to show them, which hands everything on to a terminal.
    this.#isTerminal = stream.isTTY === true || wantsColor(stream, env)
  }

  write(text: string): boolean {
    return this.#stream.write(terminalText(text, this.#isTerminal))
  }

  once(event: 'drain', listener: () => void): unknown {
    return this.#stream.once(event, listener)
  }

  get isTTY(): boolean | undefined {
    return this.#stream.isTTY
  }

  get columns(): number | undefined {
    return this.#stream.columns
  }
}

export interface OutputOptions {
  stdout: TextStream
  stderr: TextStream
  env: Environment
  json: boolean
  noColor: boolean
}

const DEFAULT_WIDTH = 100
const HANG = ' '.repeat('amux: '.length)

/** A terminal that does not know its size says 0. */
export function widthOf({ columns }: TextStream): number {
  return columns || DEFAULT_WIDTH
}

/** Where commands write: results to stdout, everything about them to stderr. */
export class Output {
  readonly json: boolean
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly #env: Environment
  readonly #noColor: boolean
  #onClosed: (() => void) | null = null
  #isClosed = false

  constructor({ stdout, stderr, env, json, noColor }: OutputOptions) {
    this.stdout = new GuardedStream(stdout, env)
    this.stderr = new GuardedStream(stderr, env)
    this.json = json
    this.#env = env
    this.#noColor = noColor
  }

  /** What a table may be wide. Only a terminal cuts: a program that reads a pipe wants all of it. */
  get width(): number {
    return this.stdout.isTTY === true ? widthOf(this.stdout) : Number.POSITIVE_INFINITY
  }

  /** The reader of our stdout has gone. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  paint(stream: TextStream = this.stdout): Paint {
    if (!wantsColor(stream, this.#env, this.#noColor)) return plain
    // Newer Node versions would look at process.stdout themselves and undo our decision.
    return (style, text) => {
      const [before = '', after = ''] = styleText(style, SPLIT, { validateStream: false }).split(SPLIT)
      return text === '' ? '' : own(before) + text + own(after)
    }
  }

  write(text: string): void {
    if (!this.#isClosed) this.stdout.write(text)
  }

  /** Writes a line, and waits while the reader is behind. */
  async writeLine(line: string): Promise<void> {
    if (this.#isClosed || this.stdout.write(`${line}\n`)) return
    await new Promise<void>((resolve) => {
      this.stdout.once('drain', resolve)
      this.onClosed(resolve)
    })
  }

  note(text: string, hang = '  '): void {
    const { stderr } = this
    const lines =
      stderr.isTTY === true ? text.split('\n').map((line) => wrapWords(line, widthOf(stderr), hang, plain)) : [text]
    stderr.write(`${lines.join('\n')}\n`)
  }

  /** A command's result: the JSON envelope, or text for people. */
  result(data: unknown, text: string): void {
    if (this.json) this.write(`${JSON.stringify({ ok: true, data })}\n`)
    else if (text !== '') this.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  error(error: unknown, debug: boolean): void {
    const message = error instanceof Error ? error.message : String(error)
    const hint = isAgentMuxError(error) ? error.hint : undefined
    if (this.json) this.write(`${JSON.stringify({ ok: false, error: describeError(error, message, hint) })}\n`)
    else {
      const paint = this.paint(this.stderr)
      this.note(`${paint('red', 'amux:')} ${message}`, HANG)
      if (hint !== undefined) this.note(`${HANG}${hint}`, '') // a line that goes on keeps the indent of its beginning
    }
    if (debug && error instanceof Error) this.note(`${error.stack}${causeOf(error)}`)
  }

  /** Called once when the reader of stdout goes away. */
  onClosed(callback: () => void): void {
    if (this.#isClosed) {
      callback()
      return
    }
    const earlier = this.#onClosed
    this.#onClosed = () => {
      earlier?.()
      callback()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClosed?.()
  }
}

function describeError(error: unknown, message: string, hint: string | undefined): object {
  const known = isAgentMuxError(error)
  return {
    code: known ? error.code : 'INTERNAL',
    message,
    agent: known && 'agent' in error ? error.agent : undefined,
    recoverable: known ? error.recoverable : false,
    hint,
  }
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : ''
}
