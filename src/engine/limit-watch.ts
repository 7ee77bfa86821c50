import type { Effect } from '../contract/dialogue.ts'
import { RUN_DEFAULTS } from '../contract/run-defaults.ts'
import { failTurn } from '../core/failures.ts'
import type { Retrying } from './run-totals.ts'

/** Servers that are down or overloaded come back sooner than limits pass, so they get more time. */
const OTHER_PATIENCE = 4

/**
 * Watches an agent that tries again and makes no progress: many CLIs do so for minutes or for ever. It is ended after a
 * grace, or at once when it is known that the limit lasts longer than that.
 */
export class LimitWatch {
  readonly #graceMs: number
  readonly #onExpire: () => void
  #timer: NodeJS.Timeout | null = null

  /** A grace of 0 means that nothing is ever ended. */
  constructor(graceMs: number | undefined, onExpire: () => void) {
    this.#graceMs = graceMs ?? RUN_DEFAULTS.limitGraceMs
    this.#onExpire = onExpire
  }

  /** After each event: what the agent is trying again for, if it is. */
  note(retrying: Retrying | null): void {
    if (!retrying?.isTryingAgain) this.stop()
    if (!retrying?.isTryingAgain || this.#graceMs === 0) return
    const isLimit = retrying.kind === 'rate_limit' || retrying.kind === 'quota'
    if (isLimit && (retrying.retryAfterMs ?? 0) > this.#graceMs) this.#onExpire()
    else this.#timer ??= setTimeout(this.#onExpire, isLimit ? this.#graceMs : this.#graceMs * OTHER_PATIENCE).unref()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

export function limitFailure({ kind, reason, retryAfterMs }: Retrying): Effect[] {
  return failTurn(kind, { message: reason, retryAfterMs })
}
