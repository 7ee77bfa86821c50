import { setTimeout as sleep } from 'node:timers/promises'
import type { Fact, Sign } from '../contract/activity.ts'
import type { ScreenSign, StartAnswer } from '../contract/terminal.ts'
import type { Screen } from './screen.ts'

/** How long a screen must be quiet to be looked at, and after how long it is looked at anyway. */
const QUIET_MS = 150
const LATEST_MS = 600
const STILL_MS = 2000
/** A dialog that was answered for the user may stay this long. Until then it is not a question to anybody. */
const ANSWERED_MS = 5000
/** A turn that ends so soon after a key that stops turns was stopped by it. */
const STOPPED_BY_KEY_MS = 2500
/**
 * What is on a screen for this long is reported again, later and later: where hooks fail to report, it comes to be
 * believed.
 */
const FIRST_CONFIRMATION_MS = 11_000
const LAST_CONFIRMATION_MS = 600_000

export interface ScreenWatchOptions {
  screen: Screen
  launch: number
  /** Left out where nothing is known of this agent's screens. */
  read?: (lines: readonly string[]) => ScreenSign | null
  onFact: (fact: Fact) => void
  answers?: readonly StartAnswer[]
  press: (keys: readonly string[]) => void
}

/** Looks at the screen when something has changed, and reports what it says when that is something new. */
export class ScreenWatch {
  /** Resolves when the screen first says that the agent waits for its user. */
  readonly idle: Promise<void>
  #onIdle: () => void = () => {}
  readonly #options: ScreenWatchOptions
  #timer: NodeJS.Timeout | null = null
  #confirmation: NodeJS.Timeout | undefined
  #changedAt = 0
  #sign: Sign | null = null
  #hasSpoken = false
  #stopPressedAt = Number.NEGATIVE_INFINITY
  #text = ''
  #stillSince = 0
  #answers: readonly StartAnswer[]
  #answered: { shows: RegExp; at: number } | null = null

  constructor(options: ScreenWatchOptions) {
    this.#options = options
    this.#answers = options.answers ?? []
    this.idle = new Promise((resolve) => {
      this.#onIdle = resolve
    })
  }

  /** Its screen can be read, and has not said anything yet. */
  get isNew(): boolean {
    return this.#options.read !== undefined && !this.#hasSpoken
  }

  /** The dialog that is open, in words. */
  get dialog(): string | null {
    return this.#sign?.state === 'blocked' ? (this.#sign.detail ?? 'a dialog is open') : null
  }

  /** Somebody at the screen has pressed a key that stops a turn. It counts when a turn is under way, and then ends. */
  stopPressed(): void {
    if (this.#sign?.state === 'active') this.#stopPressedAt = Date.now()
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
    if (this.#answer(lines)) return
    const seen = this.#whenStill(read?.(lines) ?? null, lines.join('\n'))
    const before = this.#sign
    this.#sign = seen
    this.#hasSpoken ||= seen !== null
    if (seen?.state === 'idle') this.#onIdle()
    if (JSON.stringify(seen) === JSON.stringify(before)) return
    clearTimeout(this.#confirmation)
    // The dialog was there to see and is gone, however it was answered: not every agent's hooks report a refusal.
    const isClosed = before?.state === 'blocked' && seen?.state !== 'blocked'
    if (!seen && !isClosed) return
    // After one that comes before the start, it starts.
    const next = before?.dialog === 'setup' ? 'spawning' : 'active'
    this.#report({ ...(seen ?? { state: next }), ...(isClosed && { closes: true }), ...this.#stopped(seen) })
    if (seen) this.#confirmAfter(FIRST_CONFIRMATION_MS, seen)
  }

  /** Looks until the screen says this. False when it does not in time. */
  async until(says: (sign: Sign | null) => boolean, patienceMs: number): Promise<boolean> {
    const deadline = Date.now() + patienceMs
    for (await this.look(); !says(this.#sign); await this.look()) {
      if (Date.now() >= deadline) return false
      await sleep(QUIET_MS)
    }
    return true
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    clearTimeout(this.#confirmation)
  }

  /** What counts of it now; it is looked at again when what it says counts only later. */
  #whenStill(seen: ScreenSign | null, text: string): Sign | null {
    const now = Date.now()
    if (text !== this.#text) this.#stillSince = now
    this.#text = text
    if (!seen) return null
    const { ifStill, ...sign } = seen
    const wait = this.#stillSince + STILL_MS - now
    if (!ifStill || wait <= 0) return sign
    this.#timer ??= setTimeout(() => void this.look(), wait)
    return null
  }

  #stopped(seen: Sign | null): Pick<Sign, 'ended' | 'detail'> {
    const isStopped = seen?.state === 'idle' && Date.now() - this.#stopPressedAt < STOPPED_BY_KEY_MS
    return isStopped ? { ended: 'interrupted', detail: 'interrupted at its screen' } : {}
  }

  /** Only before anything else is known of the screen: later on the agent may print the same words. */
  #answer(lines: readonly string[]): boolean {
    if (this.#sign !== null) return false
    const isThere = ({ shows }: Pick<StartAnswer, 'shows'>) => lines.some((line) => shows.test(line))
    const answer = this.#answers.find(isThere)
    if (answer) {
      this.#answers = this.#answers.filter((one) => one !== answer)
      this.#answered = { shows: answer.shows, at: Date.now() }
      this.#options.press(answer.press)
    }
    const { shows, at = 0 } = this.#answered ?? {}
    if (!shows || Date.now() - at > ANSWERED_MS || !isThere({ shows })) return false
    this.#timer ??= setTimeout(() => void this.look(), QUIET_MS)
    return true
  }

  #report(sign: Sign): void {
    const { launch, onFact } = this.#options
    onFact({ ...sign, source: 'screen', at: Date.now(), launch })
  }

  #confirmAfter(delay: number, sign: Sign): void {
    this.#confirmation = setTimeout(() => {
      this.#report(sign)
      this.#confirmAfter(Math.min(delay * 2, LAST_CONFIRMATION_MS), sign)
    }, delay)
  }
}
