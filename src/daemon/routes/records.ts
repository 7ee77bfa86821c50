import type { Change, Notification } from '../../contract/api/change.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { endpoint } from '../http/endpoint.ts'
import { type EndedTurn, quotaOf, type ReportedQuota } from '../sessions/quota.ts'
import { addSessionUsage, NO_USAGE } from '../sessions/record.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { dayOf } from '../sessions/usage.ts'
import { runInfo } from '../store/launches.ts'
import type { Parking } from '../store/parked.ts'
import type { Store } from '../store/store.ts'

const LIMIT = 100

/** What was: runs, what they used, what they asked for. */
export function recordEndpoints(
  store: Store,
  sessions: Sessions,
  { quota: quotas, adapters }: Pick<AgentMuxClient, 'quota' | 'adapters'>,
  unpark: (parked: readonly Parking[]) => void,
) {
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
      const asked = ask ? await quotas.checkAll() : []
      const reported = [...reportedInSessions(store), ...asked.map((status) => ({ account: null, status }))]
      return quotaOf({ parked: store.parked.list(Date.now()), reported, ended: endedTurns(store) })
    }),
    unpark: endpoint('unpark', ({ agent, account }) => {
      const isMeant = (one: Pick<Parking, 'agent' | 'account'>) =>
        (agent === undefined || one.agent === agent) && (account === undefined || one.account.id === account)
      const isKnown = knownAccounts(store).some(isMeant)
      if (!isKnown && agent !== undefined) adapters.capabilities(agent) // throws for an unknown one, with a suggestion
      if (!isKnown && account !== undefined) throw unknownAccount(agent, account)
      const parked = store.parked.list(Date.now()).filter(isMeant)
      unpark(parked)
      return quotaOf({ parked, reported: [] })
    }),
    notifications: endpoint('notifications', ({ limit = LIMIT }) =>
      store.changes.notifications(limit).flatMap(({ json }): Notification[] => {
        const change: Change = JSON.parse(json)
        return change.kind === 'notification' ? [change.notification] : []
      }),
    ),
  }
}

function knownAccounts(store: Store): Pick<Parking, 'agent' | 'account'>[] {
  const used = store.sessions.list().flatMap(({ agent, account }) => (account ? [{ agent, account }] : []))
  return [...used, ...store.parked.list(0)]
}

function unknownAccount(agent: string | undefined, account: string): AgentMuxError {
  const whose = agent === undefined ? '' : ` of ${agent}`
  return new AgentMuxError('ACCOUNT_NOT_FOUND', `There is no account "${account}"${whose}`, {
    hint: '`amux quota` lists the accounts with their ids.',
  })
}

function endedTurns(store: Store): EndedTurn[] {
  return store.sessions.list().flatMap(({ agent, account = null, turn }) => {
    const { outcome = null, endedAt = null } = turn ?? {}
    return outcome === null || endedAt === null ? [] : [{ agent, account, at: endedAt, outcome }]
  })
}

/** Also of sessions that live: that is when it matters. */
function reportedInSessions(store: Store): ReportedQuota[] {
  return store.sessions.list().flatMap(({ quota, account = null }) => (quota ? [{ account, status: quota }] : []))
}
