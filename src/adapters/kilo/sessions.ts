import type { SessionTables } from '../../contract/session-store.ts'
import { sessionReading, sessionStamps } from '../../core/opencode/session-reading.ts'
import { findSession, sessionIds } from '../../core/opencode/sessions.ts'
import { dialect } from './dialect.ts'

/** One database for all projects. */
export const sessions: SessionTables = {
  list: sessionIds,
  stamps: sessionStamps,
  reading: sessionReading,
  read: (database, sessionId) => findSession(dialect.agent, database, sessionId),
}
