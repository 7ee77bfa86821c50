import type { Change, Notification } from '../../contract/api/change.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { QuotaManager } from '../../contract/quota.ts'
import { endpoint } from '../http/endpoint.ts'
import { quotaOf } from '../sessions/quota.ts'
import { addSessionUsage, NO_USAGE } from '../sessions/record.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { dayOf } from '../sessions/usage.ts'
import { runInfo } from '../store/launches.ts'
import type { Store } from '../store/store.ts'

const LIMIT = 100

/** What was: runs, what they used, what they asked for. */
export function recordEndpoints(store: Store, sessions: Sessions, quotas: QuotaManager) {
  return {
    listRuns: endpoint('listRuns', ({ session, agent, limit = LIMIT }) => {
      const sessionId = session === undefined ? undefined : sessions.record(session).id
      return store.launches.list({ sessionId, agent, limit }).map(runInfo)
    }),
    getRun: endpoint('getRun', ({ id }) => {
      const row = store.launches.get(id)
      if (row) return runInfo(row)
      throw new AgentMuxError('SESSION_NOT_FOUND', `There is no run "${id}"`)
    }),
    usage: endpoint('usage', ({ by, since, until, agents }) => {
      const day = (at: number | undefined) => (at === undefined ? undefined : dayOf(at))
      const filter = { since: day(since), until: day(until), agents }
      const total = store.usage.by(null, filter).reduce(addSessionUsage, NO_USAGE)
      return { total, rows: by === undefined ? [] : store.usage.by(by, filter) }
    }),
    quota: endpoint('quota', async ({ ask }) => {
      const inRuns = store.launches.list({ limit: LIMIT }).flatMap(({ result }) => result?.result?.quota ?? [])
      const told = [...inRuns, ...(ask ? await quotas.checkAll() : [])]
      return quotaOf({ parked: store.parked.list(Date.now()), told })
    }),
    notifications: endpoint('notifications', ({ limit = LIMIT }) =>
      store.changes.notifications(limit).flatMap(({ json }): Notification[] => {
        const change: Change = JSON.parse(json)
        return change.kind === 'notification' ? [change.notification] : []
      }),
    ),
  }
}
