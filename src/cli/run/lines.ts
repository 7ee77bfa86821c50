import type { Paint, Style } from '../output.ts'
import { own } from '../terminal-text.ts'
import { formatElapsed, oneLine, truncate } from '../text.ts'

const CLEAR_LINE = own('\r\u001b[K')

export type Block = 'text' | 'thinking' | 'work'

export interface RunLinesOptions {
  /** A terminal: a status line may be shown and taken away again. */
  live: boolean
  log(text: string): void
  paint: Paint
  width: number
  /** No status line, as where somebody types meanwhile, or on a terminal that cannot take a line back. */
  noStatus?: boolean
  clock?: Clock
}

/** Time, so that a test can have its own. */
export interface Clock {
  now(): number
  /** Returns what stops it. */
  every(ms: number, tick: () => void): () => void
}

const systemClock: Clock = {
  now: Date.now,
  every(ms, tick) {
    const timer = setInterval(tick, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 100
/** A status that is older than this says how long it takes. */
const ELAPSED_FROM_MS = 1000

/** The layout of a run's output: blocks a blank line apart, whole lines, one status line below them. */
export class RunLines {
  readonly #options: RunLinesOptions
  #block: Block | null = null
  #atLineStart = true
  #status: string | null = null
  #stopSpinner: (() => void) | null = null
  readonly #clock: Clock
  readonly #begun: number

  constructor(options: RunLinesOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#begun = this.#clock.now()
  }

  get isEmpty(): boolean {
    return this.#block === null
  }

  /** A blank line separates different kinds of blocks. */
  begin(block: Block): void {
    this.clearStatus()
    if (this.#block === block) return
    this.endLine()
    if (this.#block !== null) this.#options.log('\n')
    this.#block = block
  }

  write(text: string, style?: Style): void {
    this.#options.log(style === undefined ? text : this.#options.paint(style, text))
    if (text !== '') this.#atLineStart = text.endsWith('\n')
  }

  endLine(): void {
    if (!this.#atLineStart) this.#options.log('\n')
    this.#atLineStart = true
  }

  whole(block: Block, text: string, style?: Style): void {
    this.begin(block)
    this.write(text, style)
    this.endLine()
  }

  /** Somebody else writes next: what follows is a block of its own. */
  leave(): void {
    this.clearStatus()
    this.endLine()
    this.#block = 'work'
  }

  /** One line that goes away again with the next output. */
  status(text: string): void {
    const { live, noStatus } = this.#options
    if (!live || noStatus || !this.#atLineStart) return
    const isShown = this.#status !== null
    this.#status = oneLine(text)
    this.#draw(isShown)
    this.#stopSpinner ??= this.#clock.every(FRAME_MS, () => this.#draw(true))
  }

  clearStatus(): void {
    if (this.#status !== null) this.#options.log(CLEAR_LINE)
    this.#status = null
    this.#stopSpinner?.()
    this.#stopSpinner = null
  }

  #draw(isShown: boolean): void {
    const { log, paint, width } = this.#options
    const passed = this.#clock.now() - this.#begun
    const frame = FRAMES[Math.floor(passed / FRAME_MS) % FRAMES.length] ?? ''
    const elapsed = passed < ELAPSED_FROM_MS ? '' : ` ${formatElapsed(passed)}`
    // One column stays free: a full line would wrap, and could not be taken back.
    const text = truncate(`${this.#status}…`, width - 3 - elapsed.length)
    log(`${isShown ? CLEAR_LINE : ''}${paint('cyan', frame)} ${paint('dim', `${text}${elapsed}`)}`)
  }
}
