import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { type JsonRecord, textOf } from '../../../core/json.ts'
import { retrySign } from '../../kit/retry-log.ts'
import { type AcpState, isInTurn } from './state.ts'

/** How many tries there are is not reported. */
export function retry(state: AcpState, reason: string): Effect {
  state.retryCount += 1
  return { emit: { type: 'retry', attempt: state.retryCount, maxAttempts: 0, reason, delayMs: 0 } }
}

/** Another try that the agent reports with a notice of its own. */
export function retryNotice(state: AcpState, { sessionId, detail }: JsonRecord): Effect[] {
  if (!isInTurn(state) || (state.sessionId !== undefined && sessionId !== state.sessionId)) return NO_EFFECTS
  state.retryCount += 1
  const reason = textOf(detail) || 'the request failed'
  return retrySign({ attempt: state.retryCount, maxAttempts: 0, reason, isInline: true })
}
