import { AgentMuxError } from '../../contract/errors.ts'
import type { UsageTable } from '../store/usage.ts'
import { dayOf, nextDay } from './usage.ts'

export interface SpentBudget {
  until: number
  why: string
}

/** What all sessions together may spend in a day. */
export class DailyBudget {
  readonly #usage: Pick<UsageTable, 'spentOn'>
  readonly #limitUsd: number | undefined

  constructor(usage: Pick<UsageTable, 'spentOn'>, limitUsd: number | undefined) {
    this.#usage = usage
    this.#limitUsd = limitUsd
  }

  /** Why nothing more may be spent, and until when; null when something is left. */
  spent(now: number): SpentBudget | null {
    const limit = this.#limitUsd
    if (limit === undefined || this.#usage.spentOn(dayOf(now)) < limit) return null
    return { until: nextDay(now), why: `the budget of the day, $${limit}, is spent (dailyBudgetUsd in config.json)` }
  }

  /** Before something that costs. */
  require(now: number): void {
    const spent = this.spent(now)
    if (spent === null) return
    throw new AgentMuxError('BUDGET_EXCEEDED', `Nothing was started or sent: ${spent.why}`, {
      hint: `The next day begins at ${new Date(spent.until).toISOString()}; a larger budget counts when the daemon is restarted.`,
      recoverable: true,
    })
  }
}
