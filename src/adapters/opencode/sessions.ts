import type { SessionTables } from '../../contract/session-store.ts'
import { opencode } from '../../core/opencode/opencode.ts'
import { sessionReading, sessionStamps } from '../../core/opencode/session-reading.ts'
import { findSession, sessionIds } from '../../core/opencode/sessions.ts'

/** One database for all projects, which `opencode serve` and `opencode acp` use as well. */
export const sessions: SessionTables = {
  list: sessionIds,
  stamps: sessionStamps,
  reading: sessionReading,
  read: (database, sessionId) => findSession(opencode.agent, database, sessionId),
}
