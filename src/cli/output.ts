import { styleText } from 'node:util'
import { isAgentMuxError } from '../contract/errors.ts'
import { displayWidth, truncate } from './text.ts'

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

export interface OutputOptions {
  stdout: TextStream
  stderr: TextStream
  env: Environment
  json: boolean
  noColor: boolean
}

const DEFAULT_WIDTH = 100

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
    this.stdout = stdout
    this.stderr = stderr
    this.json = json
    this.#env = env
    this.#noColor = noColor
  }

  get width(): number {
    return widthOf(this.stdout)
  }

  /** Whoever read our stdout has gone. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  paint(stream: TextStream = this.stdout): Paint {
    if (!wantsColor(stream, this.#env, this.#noColor)) return plain
    // Newer Node versions would look at process.stdout themselves and undo our decision.
    return (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }))
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

  note(text: string): void {
    this.stderr.write(`${text}\n`)
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
      this.note(`${paint('red', 'amux:')} ${message}`)
      if (hint !== undefined) this.note(`      ${hint}`)
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

export interface Cell {
  text: string
  style?: Style
}

const GAP = '  '
const MIN_COLUMN = 8

/** Columns side by side. When they do not fit, the widest gives way first; nothing wraps. */
export function table(rows: readonly (readonly (string | Cell)[])[], paint: Paint, width: number): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)))
  const widths = fitColumns(cells, width)
  const lines = cells.map((row) =>
    row
      .map(({ text, style }, column) => {
        const cut = truncate(text, widths[column] ?? 0)
        const padding = column === row.length - 1 ? '' : ' '.repeat((widths[column] ?? 0) - displayWidth(cut))
        return (style === undefined ? cut : paint(style, cut)) + padding
      })
      .join(GAP)
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

function fitColumns(rows: readonly (readonly Cell[])[], width: number): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(text))
    }
  }
  const total = () => widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1))
  while (total() > width) {
    const widest = Math.max(...widths)
    if (widest <= MIN_COLUMN) break
    widths[widths.indexOf(widest)] = widest - 1
  }
  return widths
}
