import type { Effect } from '../contract/dialogue.ts'
import { RUN_DEFAULTS } from '../contract/run-defaults.ts'
import { failTurn } from '../core/failures.ts'
import type { Retrying } from './run-totals.ts'

/** Servers that are down or overloaded come back sooner than limits pass, so they get more time. */
const OTHER_PATIENCE = 4
/** A refusal comes at once. A try that has not failed by then is being answered, perhaps by a model that thinks long. */
const ANSWERED_MS = 10_000
/** A failure so long after the try before has nothing to do with that. */
const NEW_TROUBLE_MS = 60_000

/**
 * Watches an agent that tries again and makes no progress: many CLIs do so for minutes or forever. It is ended after a
 * grace, or at once when it is known that the limit lasts longer than that.
 */
export class LimitWatch {
  readonly #graceMs: number
  readonly #onExpire: () => void
  #timer: NodeJS.Timeout | null = null
  #since = 0
  #triesAt = 0
  #delayIsKnown = false

  /** A grace of 0 means that nothing is ever ended. */
  constructor(graceMs: number | undefined, onExpire: () => void) {
    this.#graceMs = graceMs ?? RUN_DEFAULTS.limitGraceMs
    this.#onExpire = onExpire
  }

  /** After each event: what the agent is trying again for, if it is. */
  note(retrying: Retrying | null): void {
    if (!retrying?.isTryingAgain) this.stop()
    if (!retrying?.isTryingAgain || this.#graceMs === 0) return
    const now = Date.now()
    const { triesAt = now, delayIsKnown = false } = retrying
    const failedAgain = triesAt !== this.#triesAt
    if (this.#since === 0 || (failedAgain && now > this.#triesAt + NEW_TROUBLE_MS)) this.#begin(now)
    this.#triesAt = triesAt
    this.#delayIsKnown = delayIsKnown
    const isLimit = retrying.kind === 'rate_limit' || retrying.kind === 'quota'
    const graceMs = isLimit ? this.#graceMs : this.#graceMs * OTHER_PATIENCE
    const isOver = now >= this.#since + graceMs
    if (isLimit && (retrying.retryAfterMs ?? 0) > this.#graceMs) this.#onExpire()
    else if (isOver && failedAgain) this.#onExpire()
    else if (!isOver) this.#timer ??= this.#wait(this.#since + graceMs, graceMs)
  }

  stop(): void {
    this.#begin(0)
  }

  #begin(at: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#since = at
  }

  #wait(until: number, graceMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#graceIsOver(graceMs), until - Date.now()).unref()
  }

  /**
   * One that is being answered is ended when that fails, too. One that does not say how long it waits may just as well be
   * waiting for as long as the server told it to: it has another grace from its last failure on.
   */
  #graceIsOver(graceMs: number): void {
    const now = Date.now()
    if (now <= this.#triesAt + ANSWERED_MS) this.#onExpire()
    else if (this.#delayIsKnown) return
    else if (now >= this.#triesAt + graceMs) this.#onExpire()
    else this.#timer = this.#wait(this.#triesAt + graceMs, graceMs)
  }
}

export function limitFailure({ kind, reason, retryAfterMs }: Retrying): Effect[] {
  return failTurn(kind, { message: reason, retryAfterMs })
}
