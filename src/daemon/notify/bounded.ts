/** Does a few things at a time, and lets only so many wait. */
export class Bounded {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #waiting: (() => Promise<void>)[] = []
  #running = 0

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** False: too many wait already, and it will not be done. `task` must not reject. */
  add(task: () => Promise<void>): boolean {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#maxWaiting) return false
      this.#waiting.push(task)
      return true
    }
    this.#running += 1
    void task().finally(() => {
      this.#running -= 1
      const next = this.#waiting.shift()
      if (next) this.add(next)
    })
    return true
  }
}
