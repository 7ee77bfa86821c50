/** How long an agent may be silent: before its first word, and after it. 0: forever. */
export interface SilenceLimits {
  firstMs: number
  laterMs: number
}

/**
 * Fires once when nothing has touched it for the time that counts; `isSuspended` stops the clock while we wait on
 * purpose.
 */
export class InactivityTimer {
  readonly #limits: SilenceLimits
  readonly #isSuspended: () => boolean
  readonly #onExpire: (wasHeard: boolean) => void
  #last = Date.now()
  #wasHeard = false
  #timer: NodeJS.Timeout | null = null

  constructor(limits: SilenceLimits, isSuspended: () => boolean, onExpire: (wasHeard: boolean) => void) {
    this.#limits = limits
    this.#isSuspended = isSuspended
    this.#onExpire = onExpire
    this.#schedule()
  }

  touch(): void {
    this.#last = Date.now()
    if (this.#wasHeard) return
    this.#wasHeard = true
    this.#schedule()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  get #limitMs(): number {
    const { firstMs, laterMs } = this.#limits
    return this.#wasHeard || firstMs === 0 || (laterMs > 0 && laterMs < firstMs) ? laterMs : firstMs
  }

  #schedule(): void {
    this.stop()
    if (this.#limitMs === 0) return
    const left = this.#limitMs - (Date.now() - this.#last)
    this.#timer = setTimeout(() => this.#check(), Math.max(0, left))
  }

  #check(): void {
    if (this.#isSuspended()) this.#last = Date.now()
    if (Date.now() - this.#last >= this.#limitMs) this.#onExpire(this.#wasHeard)
    else this.#schedule()
  }
}
