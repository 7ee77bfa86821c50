const FIRST_MS = 1000
const NEXT_MS = 3000

/**
 * Counts soon after something has happened, and anew until nothing has: agents write their counts after their words.
 * Never twice at a time.
 */
export class Recount {
  /** True when there was something new. */
  readonly #count: () => Promise<boolean>
  #timer: NodeJS.Timeout | undefined
  #counting: Promise<boolean> = Promise.resolve(false)
  #hasNews = false

  constructor(count: () => Promise<boolean>) {
    this.#count = count
  }

  soon(): void {
    this.#hasNews = true
    this.#plan(FIRST_MS)
  }

  /** Counts once more, and then no more. */
  async last(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#counting
    await this.#count()
    clearTimeout(this.#timer)
  }

  #plan(delayMs: number): void {
    this.#timer ??= setTimeout(() => void this.#run(), delayMs).unref()
  }

  async #run(): Promise<void> {
    this.#hasNews = false
    this.#counting = this.#count()
    const isNew = await this.#counting
    this.#timer = undefined
    if (isNew || this.#hasNews) this.#plan(NEXT_MS)
  }
}
