import { LAUNCH_FILES, type LaunchResult, type RecordsPage } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { DamagedFile } from '../../files/read-own-file.ts'
import type { Log } from '../log.ts'
import type { Recorder, Writer } from '../recorder.ts'
import type { LaunchRow } from '../store/launches.ts'
import type { Store } from '../store/store.ts'
import { atLimit, NO_LIMITS } from './limit.ts'
import { notificationsOf, notifiedOf } from './notifications.ts'
import { limitEnd, outcomeOf } from './outcome.ts'
import { type SessionRecord, withCost } from './record.ts'
import { reduceRecords } from './reduce.ts'
import { overBudget } from './session-budget.ts'
import { COMPLETED, endTurn } from './turn.ts'
import { dayOf, usageSince } from './usage.ts'

export interface IntakeOptions {
  store: Store
  recorder: Recorder
  log: Log
  /** What was reported about a session is on disk. */
  onTaken(session: SessionRecord): void
}

/** Takes in the records of launches. Each piece is one transaction: the records, our position, and the consequences. */
export class Intake {
  readonly #options: IntakeOptions

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** One page of records, of which so many were taken before. */
  take(row: LaunchRow, taken: number, { records, bodies, offset }: RecordsPage): void {
    const { store, recorder, onTaken } = this.#options
    const first = records[0]
    const isWhole = records.every(({ n }, index) => n === taken + 1 + index)
    if (!isWhole) throw new DamagedFile(LAUNCH_FILES.records, `record ${first?.n} of ${row.id} comes after ${taken}`)
    const session = store.sessions.get(row.sessionId)
    if (!session) return
    const next = reduceRecords(session, records)
    const events = records.flatMap(({ n }, index) => {
      const body = bodies[index]
      return body ? [{ n, body }] : []
    })
    recorder.commit((writer) => {
      writer.events(row.sessionId, row.number, events)
      store.launches.advance(row.id, records.at(-1)?.n ?? taken, offset)
      this.#account(session, next, records)
      this.#park(next)
      this.#save(writer, session, next)
    })
    onTaken(next)
  }

  ended(row: LaunchRow, result: LaunchResult): void {
    const { store, recorder, log, onTaken } = this.#options
    const session = store.sessions.get(row.sessionId)
    if (!session) return
    const next = endLaunch(session, result)
    recorder.commit((writer) => {
      store.launches.end(row.id, result.endedAt, result)
      this.#park(next)
      this.#account(session, next, [])
      this.#save(writer, session, next)
    })
    log.info({ launch: row.id, how: result.how, outcome: next.outcome?.kind }, 'ended')
    onTaken(next)
  }

  #park({ agent, account, limit }: SessionRecord): void {
    if (limit && account) this.#options.store.parked.set({ agent, account, ...limit })
  }

  #save(writer: Writer, before: SessionRecord, after: SessionRecord): void {
    const notifications = notificationsOf(before, after)
    writer.session(notifiedOf(after, notifications))
    notifications.forEach(writer.notification)
  }

  #account(before: SessionRecord, after: SessionRecord, records: RecordsPage['records']): void {
    const { id: sessionId, agent } = after
    const day = dayOf(Date.now())
    for (const [model, more] of usageSince(before, after, records)) {
      this.#options.store.usage.add({ sessionId, day, agent, model }, more)
    }
  }
}

function endLaunch(session: SessionRecord, result: LaunchResult): SessionRecord {
  const run = result.result
  const { current } = session
  const outcome = (session.killedBecause !== null && overBudget(session)) || outcomeOf(result, session)
  return {
    ...session,
    isLive: false,
    waitsFor: null,
    pending: [],
    updatedAt: Math.max(session.updatedAt, result.endedAt),
    waiting: null,
    outcome,
    ...lastTurn(session, result.endedAt, outcome),
    ...limitAtEnd(session, outcome, result.endedAt),
    model: run?.model ?? session.model,
    quota: run?.quota ?? session.quota,
    metadata: run?.sessionId ? { ...session.metadata, agentSessionId: run.sessionId } : session.metadata,
    current: run?.cost ? withCost(current, run.cost) : current,
  }
}

/** Why the agent was ended is not why it was at its limit. */
function limitAtEnd(session: SessionRecord, outcome: Outcome, endedAt: number): Partial<SessionRecord> {
  const { limit } = session
  const until = limitEnd(outcome, endedAt)
  if (until !== null) return atLimit(session, until, limit?.why ?? outcome.evidence ?? 'a limit was reached', endedAt)
  if (outcome.kind === 'completed') return { limit: null, ...NO_LIMITS }
  return { limit: limit && { until: limit.until, why: limit.why } }
}

/** A turn that was under way has ended with its agent; one of a terminal that had ended before is still to be notified. */
function lastTurn(
  session: SessionRecord,
  endedAt: number,
  outcome: Outcome,
): Pick<SessionRecord, 'turn' | 'unnotified'> {
  const { turn = null, unnotified = [], interruptedAt = 0, killedBecause, metadata } = session
  if (turn === null || turn.isNotified) return { turn, unnotified }
  const isEndedByUs = killedBecause !== null && interruptedAt >= turn.startedAt
  if (turn.endedAt === null || isEndedByUs) return { turn: endTurn(turn, endedAt, outcome), unnotified }
  const end = { outcome: turn.outcome ?? COMPLETED, endedAt: turn.endedAt, summary: metadata.summary ?? null }
  return { turn: { ...turn, isNotified: true }, unnotified: [...unnotified, end] }
}
