import type { Paint, Style } from '../output.ts'
import { oneLine, truncate } from '../text.ts'

export type Block = 'text' | 'thinking' | 'work'

export interface RunLinesOptions {
  /** A terminal: a status line may be shown and taken away again. */
  live: boolean
  log(text: string): void
  paint: Paint
  width: number
}

/** Where the output of a run stands: blocks a blank line apart, whole lines, one status line below them. */
export class RunLines {
  readonly #options: RunLinesOptions
  #block: Block | null = null
  #atLineStart = true
  #statusShown = false

  constructor(options: RunLinesOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#block === null
  }

  /** Different kinds of blocks stand a blank line apart. */
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
    const { live, log, paint, width } = this.#options
    if (!live || !this.#atLineStart) return
    this.clearStatus()
    log(paint('dim', truncate(`◌ ${oneLine(text)}…`, width - 1)))
    this.#statusShown = true
  }

  clearStatus(): void {
    if (this.#statusShown) this.#options.log('\r\u001b[K')
    this.#statusShown = false
  }
}
