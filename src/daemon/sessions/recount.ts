export interface Pace {
  firstMs: number
  nextMs: number
  /** Goes on when nothing was new: signs of news may come too late to keep a budget. */
  goesOn: boolean
}

export const AT_EASE: Pace = { firstMs: 1000, nextMs: 3000, goesOn: false }
/** For a budget, which is to hold within one request. */
export const QUICK: Pace = { firstMs: 200, nextMs: 400, goesOn: true }

/**
 * Counts soon after something has happened, and again until nothing has: agents write their counts after their words.
 * Never twice at a time.
 */
export class Recount {
  /** True when there was something new. */
  readonly #count: () => Promise<boolean>
  readonly #pace: Pace
  #timer: NodeJS.Timeout | undefined
  #isEnded = false
  #counting: Promise<boolean> = Promise.resolve(false)
  #hasNews = false

  constructor(count: () => Promise<boolean>, pace: Pace = AT_EASE) {
    this.#count = count
    this.#pace = pace
  }

  soon(): void {
    this.#hasNews = true
    this.#plan(this.#pace.firstMs)
  }

  /** Counts once more, and then no more. */
  async last(): Promise<void> {
    this.#isEnded = true
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
    if (!this.#isEnded && (isNew || this.#hasNews || this.#pace.goesOn)) this.#plan(this.#pace.nextMs)
  }
}
