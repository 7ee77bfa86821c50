import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { failureByCode } from '../../core/failure-codes.ts'
import { retrySign } from '../kit/retry-log.ts'

const FAILED = /\bAttempt (\d+) failed(?: with (status \d+))?\. Retrying .*?(\d+)(ms|s)\b/
const MAX_ATTEMPTS = 7

/** A line of the debug log: a request that has failed, with all the retries of the CLI's HTTP client. */
export function logLine(line: string): Effect[] {
  const [, attempt, reason = 'the request failed', delay, unit] = FAILED.exec(line) ?? []
  if (attempt === undefined) return NO_EFFECTS
  const delayMs = Number(delay) * (unit === 's' ? 1000 : 1)
  return retrySign({ attempt: Number(attempt), maxAttempts: MAX_ATTEMPTS, reason, delayMs })
}

const isRetry = (effect: Effect) => 'emit' in effect && effect.emit.type === 'retry'

/**
 * 0.24 calls a status of 503 a rate limit in its stream, and says neither the status nor the provider's words there. The
 * tries before, in the log, have named it.
 */
export class RetryReasons {
  #outage: string | null = null

  fromLog(effects: Effect[]): Effect[] {
    for (const effect of effects) {
      if (!('emit' in effect) || effect.emit.type !== 'retry') continue
      const kind = failureByCode({ words: effect.emit.reason })
      this.#outage = kind === 'overloaded' || kind === 'server' ? effect.emit.reason : null
    }
    return effects
  }

  inStream(effects: Effect[]): Effect[] {
    const reason = this.#outage
    if (reason === null || !effects.some(isRetry)) return effects
    return effects.flatMap((effect): Effect[] => {
      if (!('emit' in effect)) return [effect]
      if (effect.emit.type === 'rate_limited') return []
      return effect.emit.type === 'retry' ? [{ ...effect, emit: { ...effect.emit, reason } }] : [effect]
    })
  }
}
