import type { Rows, SessionTables } from '../../contract/session-store.ts'
import type { Session } from '../../contract/sessions.ts'
import { asString, parseRecord } from '../../core/json.ts'
import { sessionOfRecords } from '../../core/pi-family/session-tree.ts'

/** Conversations of the main agent with the Gateway or with `agent --local`; `agent exec` leaves none. */
export const sessions: SessionTables = {
  list(database, cwd) {
    const rows = database.all('SELECT current_session_id AS id FROM session_nodes ORDER BY updated_at')
    const ids = rows.flatMap(({ id }) => asString(id) ?? [])
    return cwd === undefined ? ids : ids.filter((id) => readSession(database, id)?.cwd === cwd)
  },
  read: readSession,
}

/** The entries are those of Pi. Old ones may be packed, which is left to the agent: they are skipped. */
function readSession(database: Rows, sessionId: string): Session | null {
  const rows = database.all(
    'SELECT event_json FROM transcript_events WHERE session_id = ? AND event_json IS NOT NULL ORDER BY seq',
    sessionId,
  )
  if (rows.length === 0) return null
  const records = rows.map(({ event_json }) => parseRecord(asString(event_json) ?? '')).filter((one) => one !== null)
  return sessionOfRecords('openclaw', records, sessionId)
}
