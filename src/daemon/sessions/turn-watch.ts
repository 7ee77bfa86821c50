import type { EvidenceSource } from '../../contract/activity.ts'
import { judge } from '../../core/evidence.ts'
import type { Recorder } from '../recorder.ts'
import type { Store } from '../store/store.ts'
import { launchIdOf } from './launcher.ts'
import { notificationsOf, notifiedOf } from './notifications.ts'
import { limitEnd } from './outcome.ts'
import type { SessionRecord } from './record.ts'
import { looksLikeStart } from './terminal-turn.ts'
import { COMPLETED } from './turn.ts'

export interface TurnWatchOptions {
  store: Store
  recorder: Recorder
  /** How long a terminal must have been at rest for its turn to count as over, by what says so. */
  settleMs?: Partial<Record<EvidenceSource, number>>
}

/** A hook knows when a turn is over; another source may still say how. The others only look as if it were. */
const SETTLE_MS: Partial<Record<EvidenceSource, number>> = { hook: 700, transcript: 2500, screen: 2500 }
const LONGEST_MS = 2500
/** An agent that is starting may look as if it had worked, and wait for a while before it takes its prompt. */
const STARTING_MS = 60_000
const STARTED_MS = 12_000

/**
 * Notifies of the ends of turns in terminals, each once. What is still to be sent is in the session's record, so
 * that the next daemon sends it when this one does not live that long.
 */
export class TurnWatch {
  readonly #options: TurnWatchOptions
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(options: TurnWatchOptions) {
    this.#options = options
  }

  /** Takes up what an earlier daemon has left. */
  resume(): void {
    for (const session of this.#options.store.sessions.list()) this.consider(session)
  }

  consider(session: SessionRecord): void {
    const { id } = session
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    if (!isPending(session)) return
    const { source } = judge(session.evidence)
    const { settleMs = SETTLE_MS } = this.#options
    const wait = this.#mayBeStarting(session) ? STARTED_MS : ((source && settleMs[source]) ?? LONGEST_MS)
    const timer = setTimeout(() => this.#notify(id), wait)
    this.#timers.set(id, timer.unref())
  }

  /** Only its screen says that there was a turn, and nothing came of it. */
  #mayBeStarting({ id, launch, turn, metadata, evidence }: SessionRecord): boolean {
    if (!turn || !looksLikeStart(turn) || metadata.summary !== undefined || judge(evidence).source !== 'screen')
      return false
    const begunAt = this.#options.store.launches.get(launchIdOf({ id, launch }))?.createdAt ?? 0
    return turn.startedAt < begunAt + STARTING_MS
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #notify(id: string): void {
    this.#timers.delete(id)
    const { store, recorder } = this.#options
    const session = store.sessions.get(id)
    if (!session?.turn || !isPending(session)) return
    const { agent, account, turn, metadata } = session
    const end = { outcome: turn.outcome ?? COMPLETED, endedAt: turn.endedAt ?? 0, summary: metadata.summary ?? null }
    const until = limitEnd(end.outcome, end.endedAt)
    const limit = until === null ? null : { until, why: end.outcome.evidence ?? 'a limit was reached' }
    const next: SessionRecord = { ...session, limit, turn: { ...turn, isNotified: true }, unnotified: [end] }
    recorder.commit((writer) => {
      if (limit && account) store.parked.set({ agent, account, ...limit })
      writer.session(notifiedOf(next))
      notificationsOf(session, next).forEach(writer.notification)
    })
  }
}

/** One that we end is notified with its agent. */
function isPending({ mode, isLive, turn, killedBecause }: SessionRecord): boolean {
  return (
    mode === 'terminal' && isLive && killedBecause === null && turn != null && turn.endedAt !== null && !turn.isNotified
  )
}
