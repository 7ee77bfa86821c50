import { opencode } from '../../core/opencode/opencode.ts'
import { findSession, sessionIds, storePath } from '../../core/opencode/sessions.ts'
import type { SessionDatabase } from '../built-in.ts'

/** One database for all projects, which `opencode serve` and `opencode acp` use as well. */
export const sessions: SessionDatabase = {
  file: ({ env, homeDir }) => storePath(opencode, env, homeDir),
  list: sessionIds,
  read: (database, sessionId) => findSession(opencode.agent, database, sessionId),
}
