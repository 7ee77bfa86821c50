import type { Outcome } from '../../contract/outcome.ts'
import { PRICE_HINT } from '../../core/prices.ts'
import { budgetLeft } from './launch-spec.ts'
import type { SessionRecord } from './record.ts'

/**
 * Why a terminal has to be ended for its budget; null while it may go on. It is counted from its transcript, by us: the
 * run of a session without a terminal keeps its budget itself, within one request.
 */
export function overBudget(session: SessionRecord): Outcome | null {
  const left = session.mode === 'terminal' ? budgetLeft(session) : undefined
  if (left === undefined) return null
  const { maxCostUsd = 0 } = session.options
  if (left < 0) {
    const spent = (maxCostUsd - left).toFixed(4)
    return { kind: 'budget_exceeded', evidence: `$${spent} spent of a budget of $${maxCostUsd}` }
  }
  if (session.current.unpricedTokens === 0) return null
  const evidence = `The price of ${session.model ?? 'its model'} is not known, so its budget of $${maxCostUsd} cannot be kept. ${PRICE_HINT}`
  return { kind: 'failed', code: 'PRICE_UNKNOWN', evidence }
}
