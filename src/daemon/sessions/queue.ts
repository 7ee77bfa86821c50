import type { Waiting } from '../../contract/api/managed-session.ts'
import type { LaunchRow } from '../store/launches.ts'
import type { Parking } from '../store/parked.ts'
import type { SpentBudget } from './daily-budget.ts'

export interface QueueView {
  /** Oldest first. */
  queued: readonly (Pick<LaunchRow, 'id' | 'agent'> & { account: string })[]
  /** How many are live or about to be. */
  live: number
  maxLive: number
  parked: readonly Parking[]
  /** Set when nothing more may be spent today: why, and until when. */
  budget: SpentBudget | null
  now: number
}

export interface Admission {
  start: string[]
  /** What each of the others waits for. */
  waits: Map<string, Waiting>
  /** When something changes by itself. */
  nextAt: number | null
}

/** Which launches may start now. First come, first served, but one that is parked holds nobody else up. */
export function admit({ queued, live, maxLive, parked, budget, now }: QueueView): Admission {
  const start: string[] = []
  const waits = new Map<string, Waiting>()
  const times: number[] = []
  let free = maxLive - live
  for (const { id, agent, account } of queued) {
    const position = waits.size + 1
    const parking = parked.find((one) => one.agent === agent && one.account.id === account && one.until > now)
    const held = budget ?? parking
    if (held) {
      const { until } = held
      const why = `waits until ${new Date(until).toISOString()}: ${held.why}`
      waits.set(id, { for: budget ? 'budget' : 'limit', position, until, why })
      times.push(until)
    } else if (free <= 0) {
      const why = `waits for a free place: ${maxLive} of ${maxLive} sessions are live, number ${position} in the queue`
      waits.set(id, { for: 'place', position, until: null, why })
    } else {
      start.push(id)
      free -= 1
    }
  }
  return { start, waits, nextAt: times.length === 0 ? null : Math.min(...times) }
}
