import type { Quota } from '../../contract/api/schemas.ts'
import type { QuotaStatus } from '../../contract/quota.ts'
import type { Parking } from '../store/parked.ts'

export interface QuotaView {
  /** Agents at their limit. */
  parked: readonly Parking[]
  /** What agents have told in their runs, and their CLIs when they were asked. */
  told: readonly QuotaStatus[]
}

/** What is known of the limits of each agent: until when it is parked, and the newest word on its windows. */
export function quotaOf({ parked, told }: QuotaView): Quota[] {
  const newest = new Map<string, QuotaStatus>()
  for (const status of told.toSorted((a, b) => a.measuredAt - b.measuredAt)) {
    newest.set(status.agent, status)
  }
  const agents = new Set([...parked.map(({ agent }) => agent), ...newest.keys()])
  return [...agents].toSorted().map((agent) => {
    const parking = parked.find((one) => one.agent === agent)
    return {
      agent,
      parkedUntil: parking?.until ?? null,
      why: parking?.why ?? null,
      status: newest.get(agent) ?? null,
    }
  })
}
