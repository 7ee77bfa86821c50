import type { Fact, Sign } from '../contract/activity.ts'
import type { Screen } from './screen.ts'

/** How long a screen must be quiet to be looked at, and after how long it is looked at all the same. */
const QUIET_MS = 150
const LATEST_MS = 600

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
    const { screen, read, launch, onFact } = this.#options
    const { lines } = await screen.settled(() => screen.text())
    const seen = read(lines)
    const before = this.#sign
    this.#sign = seen
    if (JSON.stringify(seen) === JSON.stringify(before)) return
    const source = 'screen'
    if (seen) onFact({ ...seen, source, at: Date.now(), launch })
    // It says nothing that we know, but the dialog is gone.
    else if (before?.state === 'blocked')
      onFact({ state: 'active', closes: before.dialog, source, at: Date.now(), launch })
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }
}
