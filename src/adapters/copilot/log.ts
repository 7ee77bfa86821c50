import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { retrySign } from '../kit/retry-log.ts'
import { MAX_RETRIES } from './errors.ts'

/** Tries again at other statuses are reported by the protocol. */
const FAILED = /"http_status":(429)\b/

/** Reads the log of a live run: a line for each request that failed, without its words. */
export function logReader(): (line: string) => Effect[] {
  let failures = 0
  return (line) => {
    const status = FAILED.exec(line)?.[1]
    if (status === undefined) return NO_EFFECTS
    failures = (failures % (MAX_RETRIES + 1)) + 1
    // After the last try it reports the failure itself.
    if (failures > MAX_RETRIES) return NO_EFFECTS
    return retrySign({ attempt: failures, maxAttempts: MAX_RETRIES, reason: `status ${status}` })
  }
}
