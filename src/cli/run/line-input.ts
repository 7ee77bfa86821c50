import type { Interface } from 'node:readline'

export const PROMPT = '› '

export interface LineListener {
  line(text: string): void
  end(): void
  interrupt(): void
}

/** Lines wait until somebody listens: readline itself drops those that nobody hears. */
export class LineInput {
  readonly #interface: Interface
  readonly #waiting: string[] = []
  #hasEnded = false
  #listener: LineListener | null = null

  constructor(lines: Interface) {
    this.#interface = lines
    lines.on('line', (line) => {
      this.#waiting.push(line)
      this.#deliver()
    })
    lines.on('close', () => {
      this.#hasEnded = true
      this.#deliver()
    })
    lines.on('SIGINT', () => this.#listener?.interrupt())
  }

  listen(listener: LineListener | null): void {
    this.#listener = listener
    this.#deliver()
  }

  prompt(text = PROMPT): void {
    this.#interface.setPrompt(text)
    this.#interface.prompt()
  }

  close(): void {
    this.#listener = null
    this.#interface.close()
  }

  // A listener may take its leave with any line: the rest is for the next one.
  #deliver(): void {
    while (this.#listener && this.#waiting.length > 0) this.#listener.line(this.#waiting.shift() ?? '')
    if (this.#listener && this.#hasEnded) this.#listener.end()
  }
}
