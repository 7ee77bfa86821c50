import type { LaunchRow } from '../store/launches.ts'
import type { Parking } from '../store/parked.ts'
import type { SpentBudget } from './daily-budget.ts'

export interface QueueView {
  /** Oldest first. */
  queued: readonly Pick<LaunchRow, 'id' | 'agent'>[]
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
  /** Why each of the others waits. */
  waits: Map<string, string>
  /** When something changes by itself. */
  nextAt: number | null
}

/** Which launches may start now. First come, first served, but one that is parked holds nobody else up. */
export function admit({ queued, live, maxLive, parked, budget, now }: QueueView): Admission {
  const start: string[] = []
  const waits = new Map<string, string>()
  const times: number[] = []
  let free = maxLive - live
  for (const { id, agent } of queued) {
    const held = budget ?? parked.find((one) => one.agent === agent && one.until > now)
    if (held) {
      waits.set(id, `waits until ${new Date(held.until).toISOString()}: ${held.why}`)
      times.push(held.until)
    } else if (free <= 0) waits.set(id, `waits for a free place: ${maxLive} sessions are live`)
    else {
      start.push(id)
      free -= 1
    }
  }
  return { start, waits, nextAt: times.length === 0 ? null : Math.min(...times) }
}
