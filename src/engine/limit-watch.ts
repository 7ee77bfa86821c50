import type { Effect } from '../contract/dialogue.ts'
import { RUN_DEFAULTS } from '../contract/run-defaults.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { failTurn } from '../core/failures.ts'
import type { Retrying } from './run-totals.ts'

type Graces = Pick<RunOptions, 'limitGraceMs' | 'outageGraceMs'>

/** A refusal comes at once. A try that has not failed by then is being answered, perhaps by a model that thinks long. */
const ANSWERED_MS = 10_000
const NEXT_STEP =
  'The agent only tried again, so it was ended. Try later, check the endpoint and the network, or set outageGraceMs (--outage-grace) for more time.'
/** A failure so long after the try before has nothing to do with that. */
const NEW_TROUBLE_MS = 60_000

/**
 * Watches an agent that tries again and makes no progress: many CLIs do so for minutes or forever. It is ended after a
 * grace, or at once when it is known that the limit lasts longer than that.
 */
export class LimitWatch {
  readonly #limitGraceMs: number
  readonly #outageGraceMs: number
  readonly #onExpire: () => void
  #timer: NodeJS.Timeout | null = null
  #since = 0
  #triesAt = 0
  #delayIsKnown = false
  #progress = 0

  /** A grace of 0 means that nothing is ended for that reason. */
  constructor({ limitGraceMs, outageGraceMs }: Graces, onExpire: () => void) {
    this.#limitGraceMs = limitGraceMs ?? RUN_DEFAULTS.limitGraceMs
    this.#outageGraceMs = outageGraceMs ?? RUN_DEFAULTS.outageGraceMs
    this.#onExpire = onExpire
  }

  /**
   * After each event: what the agent is trying again for, if it is, and how far it has come. An answer that begins and
   * breaks off again is not progress.
   */
  note(retrying: Retrying | null, progress = 0): void {
    if (progress !== this.#progress) this.stop()
    this.#progress = progress
    if (!retrying?.isTryingAgain) {
      this.#stopTimer()
      return
    }
    const isLimit = isAtLimit(retrying)
    const graceMs = isLimit ? this.#limitGraceMs : this.#outageGraceMs
    if (graceMs === 0) return
    const now = Date.now()
    const { triesAt = now, delayIsKnown = false } = retrying
    const failedAgain = triesAt !== this.#triesAt
    if (this.#since === 0 || (failedAgain && now > this.#triesAt + NEW_TROUBLE_MS)) this.#begin(now)
    this.#triesAt = triesAt
    this.#delayIsKnown = delayIsKnown
    const isOver = now >= this.#since + graceMs
    if (isLimit && (retrying.retryAfterMs ?? 0) > graceMs) this.#onExpire()
    else if (isOver && failedAgain) this.#onExpire()
    else if (!isOver) this.#timer ??= this.#wait(this.#since + graceMs, graceMs)
  }

  stop(): void {
    this.#begin(0)
  }

  #begin(at: number): void {
    this.#stopTimer()
    this.#since = at
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #wait(until: number, graceMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#graceIsOver(graceMs), until - Date.now()).unref()
  }

  /**
   * One that is being answered is ended when that fails, too. One that does not say how long it waits may just as well be
   * waiting for as long as the server asked it to: it has another grace from its last failure on.
   */
  #graceIsOver(graceMs: number): void {
    const now = Date.now()
    if (now <= this.#triesAt + ANSWERED_MS) this.#onExpire()
    else if (this.#delayIsKnown) return
    else if (now >= this.#triesAt + graceMs) this.#onExpire()
    else this.#timer = this.#wait(this.#triesAt + graceMs, graceMs)
  }
}

function isAtLimit({ kind }: Retrying): boolean {
  return kind === 'rate_limit' || kind === 'quota'
}

/** The words of the server are the result. What nobody has called a limit is one that a user can do something about. */
export function limitFailure(retrying: Retrying): Effect[] {
  const { kind, reason, retryAfterMs } = retrying
  if (isAtLimit(retrying)) return failTurn(kind, { message: reason, retryAfterMs })
  return failTurn(kind, { message: `${reason.replace(/[.!\s]+$/, '')}. ${NEXT_STEP}` })
}
