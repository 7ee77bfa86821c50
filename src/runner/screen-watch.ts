import type { Fact, Sign } from '../contract/activity.ts'
import type { Screen } from './screen.ts'

/** How long a screen must be quiet to be looked at, and after how long it is looked at all the same. */
const QUIET_MS = 150
const LATEST_MS = 600
/** What stands on a screen for so long is told again, later and later: where hooks fail to tell, it comes to be believed. */
const FIRST_CONFIRMATION_MS = 11_000
const LAST_CONFIRMATION_MS = 600_000

export interface ScreenWatchOptions {
  screen: Screen
  launch: number
  read: (lines: readonly string[]) => Sign | null
  onFact: (fact: Fact) => void
}

/** Looks at the screen when something has changed, and tells what it says when that is something new. */
export class ScreenWatch {
  readonly #options: ScreenWatchOptions
  #timer: NodeJS.Timeout | null = null
  #confirmation: NodeJS.Timeout | undefined
  #changedAt = 0
  #sign: Sign | null = null

  constructor(options: ScreenWatchOptions) {
    this.#options = options
  }

  /** The dialog that is open, in words. */
  get dialog(): string | null {
    return this.#sign?.state === 'blocked' ? (this.#sign.detail ?? 'a dialog is open') : null
  }

  changed(): void {
    const now = Date.now()
    if (this.#timer === null) this.#changedAt = now
    else clearTimeout(this.#timer)
    const wait = Math.max(0, Math.min(QUIET_MS, this.#changedAt + LATEST_MS - now))
    this.#timer = setTimeout(() => void this.look(), wait)
  }

  async look(): Promise<void> {
    this.#timer = null
    const { screen, read } = this.#options
    const { lines } = await screen.settled(() => screen.text())
    const seen = read(lines)
    const before = this.#sign
    this.#sign = seen
    if (JSON.stringify(seen) === JSON.stringify(before)) return
    clearTimeout(this.#confirmation)
    // The dialog was there to see and is gone, however it was answered: not every agent's hooks tell of a refusal.
    const isClosed = before?.state === 'blocked' && seen?.state !== 'blocked'
    if (!seen && !isClosed) return
    this.#tell({ ...(seen ?? { state: 'active' }), ...(isClosed && { closes: true }) })
    if (seen) this.#confirmAfter(FIRST_CONFIRMATION_MS, seen)
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    clearTimeout(this.#confirmation)
  }

  #tell(sign: Sign): void {
    const { launch, onFact } = this.#options
    onFact({ ...sign, source: 'screen', at: Date.now(), launch })
  }

  #confirmAfter(delay: number, sign: Sign): void {
    this.#confirmation = setTimeout(() => {
      this.#tell(sign)
      this.#confirmAfter(Math.min(delay * 2, LAST_CONFIRMATION_MS), sign)
    }, delay)
  }
}
