import type { AgentAdapter } from '../contract/adapter.ts'
import { isAgentMuxError } from '../contract/errors.ts'
import type { HookHandler } from '../hooks/spool.ts'
import type { AgentMuxClient } from '../mux/client.ts'
import type { Log } from './log.ts'
import type { Recorder } from './recorder.ts'
import { notificationsOf, notifiedOf } from './sessions/notifications.ts'
import type { SessionRecord } from './sessions/record.ts'
import { reduceHook } from './sessions/reduce.ts'
import type { Store } from './store/store.ts'

export interface HookIntakeOptions {
  store: Store
  recorder: Recorder
  mux: AgentMuxClient
  log: Log
  /** What was reported about a session is on disk. */
  onTaken(session: SessionRecord): void
}

/**
 * Takes in the hooks that agents have left in the spool. Taking one in twice changes nothing, so that one that comes
 * again after a crash does no harm; what a launch that is over says late is left out, and so is what another agent
 * says: some also run the hooks of others, as Grok does Claude's, and a tool may start an agent below the session's.
 */
export function hookIntake({ store, recorder, mux, log, onTaken }: HookIntakeOptions): HookHandler {
  return async ({ adapter: agent, event, sessionId, launch, at, payload }) => {
    const isOwn = (session: SessionRecord | null) => session?.launch === launch && session.agent === agent
    const reading = isOwn(store.sessions.get(sessionId)) ? (await load(mux, agent))?.readHook?.(event, payload) : null
    const session = store.sessions.get(sessionId)
    if (!session || !reading || !isOwn(session)) {
      log.debug({ agent, event, sessionId, launch }, 'a hook that says nothing')
      return
    }
    const next = reduceHook(session, reading, at, (text) => recorder.redact(session.id, text))
    recorder.commit((writer) => {
      writer.session(notifiedOf(next))
      notificationsOf(session, next).forEach(writer.notification)
    })
    onTaken(next)
  }
}

/** Null for an agent that is not known any more. */
async function load(mux: AgentMuxClient, agent: string): Promise<AgentAdapter | null> {
  try {
    return await mux.adapters.load(agent)
  } catch (error) {
    if (isAgentMuxError(error)) return null
    throw error
  }
}
