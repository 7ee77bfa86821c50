import type { AgentName } from '../contract/names.ts'
import type { Database } from '../files/sqlite.ts'
import { text } from './tables.ts'

export interface SessionName {
  agent: AgentName
  sessionId: string
}

/** By id, with or without the agent's name, or by how it begins. A whole id wins over one that begins like it. */
export function sessionsNamed(database: Database, id: string, limit: number): SessionName[] {
  return database
    .prepare(
      `SELECT agent, session_id, max(updated_at) AS latest FROM source
       WHERE parent_id IS NULL AND message_count > 0
         AND (substr(session_id, 1, ?) = ? OR substr(agent || ':' || session_id, 1, ?) = ?)
       GROUP BY agent, session_id
       ORDER BY session_id = ? OR agent || ':' || session_id = ? DESC, latest DESC LIMIT ?`,
    )
    .all(id.length, id, id.length, id, id, id, limit)
    .map((row) => ({ agent: text(row.agent), sessionId: text(row.session_id) }))
}
