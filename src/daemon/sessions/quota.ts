import type { Account, Quota } from '../../contract/api/quota.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { QuotaStatus } from '../../contract/quota.ts'
import type { Parking } from '../store/parked.ts'

export interface QuotaView {
  /** Accounts at their limit. */
  parked: readonly Parking[]
  /** What agents have reported in their runs, and their CLIs when they were asked. */
  reported: readonly ReportedQuota[]
  /** How the turns of sessions ended. */
  ended?: readonly EndedTurn[]
}

export interface EndedTurn {
  agent: string
  account: Account | null
  at: number
  outcome: Outcome
}

export interface ReportedQuota {
  account: Account | null
  status: QuotaStatus
}

/** What is known of the limits of each account: until when it is parked, and the newest word on its windows. */
export function quotaOf({ parked, reported, ended = [] }: QuotaView): Quota[] {
  const rows = new Map<string, Quota>()
  const rowOf = (agent: string, account: Account | null): Quota => {
    const key = `${agent} ${account?.id ?? ''}`
    const known = rows.get(key) ?? { agent, account, parkedUntil: null, why: null, status: null }
    rows.set(key, known)
    return known
  }
  for (const { account, status } of reported.toSorted((a, b) => a.status.measuredAt - b.status.measuredAt)) {
    rowOf(status.agent, account).status = status
  }
  for (const { agent, account, outcome } of newestTurns(ended)) {
    if (outcome.kind === 'quota_exhausted' && outcome.resetAt === undefined)
      rowOf(agent, account).why = outcome.evidence
  }
  for (const { agent, account, until, why } of parked) Object.assign(rowOf(agent, account), { parkedUntil: until, why })
  return [...rows.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/** The last one of each account: what came before is over. */
function newestTurns(ended: readonly EndedTurn[]): EndedTurn[] {
  const newest = new Map<string, EndedTurn>()
  for (const turn of ended) {
    const key = `${turn.agent} ${turn.account?.id ?? ''}`
    if ((newest.get(key)?.at ?? 0) <= turn.at) newest.set(key, turn)
  }
  return [...newest.values()]
}
