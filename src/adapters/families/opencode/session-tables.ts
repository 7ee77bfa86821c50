import type { SessionTables } from '../../../contract/session-store.ts'
import type { OpencodeDialect } from './dialect.ts'
import { sessionReading, sessionStamps } from './session-reading.ts'
import { findSession, sessionIds } from './sessions.ts'

/** One database for all projects, whichever form of the agent has written to it. */
export function opencodeSessions({ agent }: OpencodeDialect): SessionTables {
  return {
    list: sessionIds,
    stamps: sessionStamps,
    reading: sessionReading,
    read: (database, sessionId) => findSession(agent, database, sessionId),
  }
}
