import { setTimeout as sleep } from 'node:timers/promises'
import type { Fact } from '../../contract/activity.ts'
import { isAgentMuxError } from '../../contract/errors.ts'
import type { AgentEvent } from '../../contract/events.ts'
import type { SessionManager } from '../../contract/session-manager.ts'
import { type Evidence, judge } from '../../core/evidence.ts'
import { mergeMetadata, metadataOf } from '../../core/session-metadata.ts'
import { sessionTitle } from '../../core/session-title.ts'
import type { Log } from '../log.ts'
import type { Recorder } from '../recorder.ts'
import type { Store } from '../store/store.ts'
import { TranscriptSigns } from '../transcript-signs.ts'
import type { AskActivity } from './adapter-plan.ts'
import { launchIdOf } from './launcher.ts'
import { notificationsOf, notifiedOf } from './notifications.ts'
import { NO_USAGE, type SessionRecord } from './record.ts'
import { AT_EASE, type Pace, QUICK, Recount } from './recount.ts'
import { noteCommands, noteFact } from './reduce.ts'
import { countSpent, spentIn } from './transcript-usage.ts'
import { dayOf } from './usage.ts'

export interface TranscriptsOptions {
  store: Store
  recorder: Recorder
  log: Log
  /** The conversations of all agents, as the agent of this session sees them. */
  conversations(sessionId: string): SessionManager
  /** How the adapter of this session itself reports what its agent does; null: it does not. */
  activityOf(session: SessionRecord): Promise<AskActivity | null>
  /** What was reported about a session is on disk. */
  onTaken(session: SessionRecord): void
  /** All sessions together may spend so much in a day. */
  hasDailyBudget: boolean
  /** More was spent than was known. */
  onSpent(): void
  /** How often is looked; for tests. */
  lookMs?: number
}

/** An agent that asks for its setup has begun no conversation: a new one in its directory is somebody else's. */
export function isSettingUp({ standing }: Evidence): boolean {
  const fact = standing.screen?.fact
  return fact?.state === 'blocked' && fact.dialog === 'setup'
}

interface Following {
  stop: AbortController
  launch: number
  /** Undefined while it is looked for. */
  agentSessionId: string | undefined
  /** Since when the agent rests, as we last saw it. */
  restsSince: number | null
  /** Set when it is followed. */
  recount: Recount | null
  /** Its adapter reports what it does, so that we need not read that from its words. */
  isToldByAdapter: boolean
}

const LOOK_MS = 2000

/**
 * Follows what the agents of terminals write down themselves. A terminal has no stream: where no hook reports it,
 * either, the transcript says what the agent does, and in any case what was said.
 */
export class Transcripts {
  readonly #options: TranscriptsOptions
  /** By session. */
  readonly #following = new Map<string, Following>()
  #isStopped = false

  constructor(options: TranscriptsOptions) {
    this.#options = options
  }

  /** Takes up what an earlier daemon followed. */
  resume(): void {
    for (const session of this.#options.store.sessions.list()) this.consider(session)
  }

  consider(session: SessionRecord): void {
    const { id, mode, isLive, waitsFor, launch, metadata } = session
    const known = this.#following.get(id)
    const isWanted = mode === 'terminal' && isLive && waitsFor === null
    const { agentSessionId } = metadata
    const isSame = known?.launch === launch && (known.agentSessionId ?? agentSessionId) === agentSessionId
    if (known && isWanted && isSame) {
      noteRest(known, session)
      return
    }
    known?.stop.abort()
    this.#following.delete(id)
    if (!isWanted) return
    const stop = new AbortController()
    const following = {
      stop,
      launch,
      agentSessionId: undefined,
      restsSince: null,
      recount: null,
      isToldByAdapter: false,
    }
    this.#following.set(id, following)
    void this.#follow(id, following)
  }

  stop(): void {
    this.#isStopped = true
    for (const { stop } of this.#following.values()) stop.abort()
    this.#following.clear()
  }

  async #follow(id: string, following: Following): Promise<void> {
    const { log, conversations } = this.#options
    const { signal } = following.stop
    const all = conversations(id)
    const recount = new Recount(() => this.#count(id, following, all), this.#paceOf(id))
    recount.soon()
    following.recount = recount
    void this.#askAdapter(id, following).catch((err: unknown) => log.warn({ session: id, err }, 'asking an adapter'))
    try {
      while (!signal.aborted) {
        try {
          await this.#once(id, following, all, recount)
        } catch (error) {
          // The agent may not have written it yet.
          if (!isAgentMuxError(error)) log.warn({ session: id, err: error }, 'following a transcript')
        }
        await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
      await recount.last()
    } finally {
      all.close()
    }
  }

  #paceOf(id: string): Pace {
    const hasBudget = this.#options.store.sessions.get(id)?.options.maxCostUsd !== undefined
    return hasBudget || this.#options.hasDailyBudget ? QUICK : AT_EASE
  }

  async #once(id: string, following: Following, all: SessionManager, recount: Recount): Promise<void> {
    const { store } = this.#options
    const session = store.sessions.get(id)
    const begunAt = session && store.launches.get(launchIdOf(session))?.createdAt
    if (!session || begunAt == null) return
    const agentSessionId = session.metadata.agentSessionId ?? (await this.#find(session, begunAt, all))
    if (agentSessionId === undefined) return
    following.agentSessionId = agentSessionId
    const { signal } = following.stop
    const signs = new TranscriptSigns()
    for await (const event of all.watch(session.agent, agentSessionId, { turns: 1, signal })) {
      if (signal.aborted) return
      recount.soon()
      if (event.timestamp >= begunAt) this.#take(id, following, event, signs, agentSessionId)
    }
  }

  /** Asks again and again what the agent does, for as long as the session is followed. */
  async #askAdapter(id: string, following: Following): Promise<void> {
    const { store, activityOf } = this.#options
    const { signal } = following.stop
    const session = store.sessions.get(id)
    const ask = session && (await activityOf(session))
    if (!ask) return
    following.isToldByAdapter = true
    let last = ''
    while (!signal.aborted) {
      const sessionId = following.agentSessionId ?? store.sessions.get(id)?.metadata.agentSessionId
      const cwd = session.workspace.path
      // One that fails has not reported anything.
      const fact = sessionId === undefined ? null : await ask({ sessionId, cwd }).catch(() => null)
      const text = JSON.stringify(fact)
      if (fact && text !== last && !signal.aborted) this.#takeActivity(id, following, fact)
      last = text
      await sleep(this.#options.lookMs ?? LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Whether the process is there, we know ourselves; what was before this launch says nothing about it. */
  #takeActivity(id: string, { launch }: Following, fact: Fact): void {
    const { store, recorder } = this.#options
    const session = store.sessions.get(id)
    if (session?.launch !== launch || !session.isLive || session.evidence.standing.hook !== undefined) return
    const begunAt = store.launches.get(launchIdOf(session))?.createdAt ?? 0
    const at = Math.min(fact.at, Date.now())
    if (fact.state === 'exited' || !(at >= begunAt)) return
    const next = { ...session }
    const detail = fact.detail === undefined ? undefined : recorder.redact(id, fact.detail)
    noteFact(next, { ...fact, detail, source: 'transcript', at, launch })
    recorder.commit((writer) => {
      writer.session(notifiedOf(next))
      notificationsOf(session, next).forEach(writer.notification)
    })
    this.#options.onTaken(next)
  }

  /** The one conversation that has begun in this directory since; of several, nobody knows which it is. */
  async #find(session: SessionRecord, begunAt: number, all: SessionManager): Promise<string | undefined> {
    const { agent, workspace, evidence } = session
    if (isSettingUp(evidence)) return undefined
    const found = await all.list(agent, { cwd: workspace.path, since: begunAt, limit: 10 })
    const taken = new Set(this.#options.store.sessions.list().map(({ metadata }) => metadata.agentSessionId))
    const own = found.filter(({ sessionId, createdAt }) => !taken.has(sessionId) && createdAt >= begunAt)
    return own.length === 1 ? own[0]?.sessionId : undefined
  }

  #take(id: string, following: Following, event: AgentEvent, signs: TranscriptSigns, agentSessionId: string): void {
    const { store, recorder } = this.#options
    const { launch } = following
    const session = store.sessions.get(id)
    const sign = signs.take(event)
    if (session?.launch !== launch || !session.isLive) return
    const prompt = event.type === 'turn_start' ? event.prompt : undefined
    const { summary } = metadataOf(event)
    const known = {
      agentSessionId,
      title: prompt && recorder.redact(id, sessionTitle(prompt)),
      summary: summary && recorder.redact(id, summary),
    }
    const next = { ...session, metadata: mergeMetadata(session.metadata, known) }
    noteCommands(next, event, (text) => recorder.redact(id, text))
    // Hooks know when a turn is over; a transcript only looks as if it were.
    if (sign && !following.isToldByAdapter && session.evidence.standing.hook === undefined) {
      noteFact(next, { ...sign, source: 'transcript', at: event.timestamp, launch })
    }
    // A new follower gets the last turn again.
    const isNewTurn = event.type === 'turn_start' && event.timestamp > (session.countedTo ?? 0)
    if (isNewTurn) {
      next.current = { ...next.current, turns: next.current.turns + 1 }
      next.countedTo = event.timestamp
    }
    recorder.commit((writer) => {
      if (isNewTurn) {
        const at = { sessionId: id, day: dayOf(event.timestamp), agent: session.agent, model: next.model }
        store.usage.add(at, { ...NO_USAGE, turns: 1 })
      }
      writer.session(notifiedOf(next))
      notificationsOf(session, next).forEach(writer.notification)
    })
    this.#options.onTaken(next)
  }

  /** Tokens and costs as the agent has written them down. True when there are more than before. */
  async #count(id: string, { launch, agentSessionId: followed }: Following, all: SessionManager): Promise<boolean> {
    if (this.#isStopped) return false
    const { store, recorder, log } = this.#options
    try {
      const session = store.sessions.get(id)
      const agentSessionId = followed ?? session?.metadata.agentSessionId
      if (!session || agentSessionId === undefined) return false
      const byModel = await spentIn(all, session, agentSessionId)
      const now = this.#isStopped ? null : store.sessions.get(id)
      const counted = now?.launch === launch ? countSpent(now, agentSessionId, byModel) : null
      if (!counted) return false
      recorder.commit((writer) => {
        for (const [model, more] of counted.more) {
          store.usage.add({ sessionId: id, day: dayOf(Date.now()), agent: session.agent, model }, more)
        }
        writer.session(counted.session)
      })
      this.#options.onSpent()
      return true
    } catch (error) {
      log.warn({ session: id, err: error }, 'counting a transcript')
      return false
    }
  }
}

/** A turn is over. One that goes on in a copy, as a restored one of Gemini, is not seen in what is watched. */
function noteRest(following: Following, { evidence }: SessionRecord): void {
  const { state, since } = judge(evidence)
  if (state !== 'idle' || since === following.restsSince) return
  following.restsSince = since
  following.recount?.soon()
}
