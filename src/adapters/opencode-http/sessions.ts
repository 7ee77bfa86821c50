import { findSession, sessionIds, storePath } from '../../core/opencode/sessions.ts'
import type { SessionDatabase } from '../built-in.ts'
import { dialect } from './dialect.ts'

/** The database of OpenCode itself, whichever form of it wrote there. */
export const sessions: SessionDatabase = {
  file: ({ env, homeDir }) => storePath(dialect, env, homeDir),
  list: sessionIds,
  read: (database, sessionId) => findSession(dialect.agent, database, sessionId),
}
