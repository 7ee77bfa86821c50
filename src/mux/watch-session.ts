import { setTimeout as sleep } from 'node:timers/promises'
import { isAgentMuxError } from '../contract/errors.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { SessionMessage } from '../contract/sessions.ts'
import { isRecord } from '../core/json.ts'
import { ulid } from '../core/ulid.ts'
import { Normaliser } from '../engine/normaliser.ts'
import { FileWatch } from '../files/watch-file.ts'
import { MessageEvents } from '../sessions/message-events.ts'
import type { View, Viewer } from '../sessions/viewer.ts'

export interface WatchRequest {
  agent: AgentName
  sessionId: string
  /** The file whose changes are a sign, besides the passing of time. */
  file: string
  viewer: Viewer
  /** This many of the last turns are emitted first; without it, only what is new. */
  turns?: number
  pollMs: number
  signal?: AbortSignal
}

/** At most so often: an agent at work writes many lines in a moment. */
const QUIET_MS = 50

/**
 * What happens in a session that somebody else runs, as events, until it is deleted or the reader leaves. The session
 * must exist: the first look throws when it does not.
 */
export async function* watchSession(request: WatchRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { agent, sessionId, file, viewer, turns = 0, pollMs, signal } = request
  let now = 0
  const runId = ulid(Date.now())
  const normaliser = new Normaliser({
    runId,
    agent,
    stream: true,
    sessionId,
    now: () => now || Date.now(),
    isWatched: true,
  })
  const messageEvents = new MessageEvents()
  const watch = new FileWatch(file, pollMs)
  const emit = (view: View): AgentEvent[] => {
    const events: AgentEvent[] = []
    messageEvents.forget(view.dropped)
    for (const { draft, at } of messageEvents.look(view.messages)) {
      now = at ?? now
      normaliser.accept(draft, events)
    }
    return events
  }
  try {
    const first = await viewer.look(turns)
    const begin = first ? beginOfLastTurns(first.messages, turns) : 0
    // Time does not go back: the start must not be later than the past events.
    now = first?.messages[begin]?.timestamp ?? 0
    const events: AgentEvent[] = []
    normaliser.accept({ type: 'session_start', sessionId, resumed: true }, events)
    yield* events
    if (first) {
      messageEvents.skip(first.messages.slice(0, begin))
      yield* emit(first)
    }
    while (!signal?.aborted) {
      await watch.wait(signal)
      await sleep(QUIET_MS)
      const view = await lookAgain(viewer)
      if (view === 'gone') break
      if (view?.isNew) messageEvents.rewritten(view.messages)
      if (view) yield* emit(view)
    }
    const last: AgentEvent[] = []
    normaliser.finish(null, last)
    yield* last
  } finally {
    watch.close()
  }
}

/** A file that is rewritten may be missing for a moment; a store that is locked can be read the next time. */
async function lookAgain(viewer: Viewer): Promise<View | null | 'gone'> {
  for (const isLast of [false, true]) {
    try {
      return await viewer.look()
    } catch (error) {
      if (!isGone(error)) return null
      if (!isLast) await sleep(QUIET_MS)
    }
  }
  return 'gone'
}

function isGone(error: unknown): boolean {
  return isAgentMuxError(error) ? error.code === 'SESSION_NOT_FOUND' : isRecord(error) && error.code === 'ENOENT'
}

/** The place of the user's words with which the last so many turns begin. */
function beginOfLastTurns(messages: readonly SessionMessage[], turns: number): number {
  const begins = messages.flatMap(({ role, content }, at) => (role === 'user' && content !== '' ? [at] : []))
  return turns === 0 ? messages.length : (begins.at(-turns) ?? 0)
}
