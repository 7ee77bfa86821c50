/** Fires once when nothing has touched it for the given time; `isSuspended` stops the clock while we wait on purpose. */
export class InactivityTimer {
  readonly #limitMs: number
  readonly #isSuspended: () => boolean
  readonly #onExpire: () => void
  #last = Date.now()
  #timer: NodeJS.Timeout | null = null

  constructor(limitMs: number, isSuspended: () => boolean, onExpire: () => void) {
    this.#limitMs = limitMs
    this.#isSuspended = isSuspended
    this.#onExpire = onExpire
    if (limitMs > 0) this.#schedule(limitMs)
  }

  touch(): void {
    this.#last = Date.now()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      if (this.#isSuspended()) this.touch()
      const left = this.#limitMs - (Date.now() - this.#last)
      if (left <= 0) this.#onExpire()
      else this.#schedule(left)
    }, ms)
  }
}
