import { findSession, sessionIds, storePath } from '../../core/opencode/sessions.ts'
import type { SessionDatabase } from '../built-in.ts'
import { dialect } from './dialect.ts'

/** One database for all projects, which `opencode serve` and `opencode acp` use as well. */
export const sessions: SessionDatabase = {
  file: ({ env, homeDir }) => storePath(dialect, env, homeDir),
  list: sessionIds,
  read: (database, sessionId) => findSession(dialect.agent, database, sessionId),
}
