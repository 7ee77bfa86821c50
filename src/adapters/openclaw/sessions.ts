import type { Rows, SessionTables } from '../../contract/session-store.ts'
import { asNumber, asString, type JsonRecord, parseRecord } from '../../core/json.ts'
import { readTree } from '../families/pi/session-log.ts'
import { sessionOfRecords } from '../families/pi/session-tree.ts'

/** The entries are those of Pi. Old ones may be packed, which is left to the agent: they are skipped. */
function recordsOf(database: Rows, sessionId: string): JsonRecord[] {
  const rows = database.all(
    'SELECT event_json FROM transcript_events WHERE session_id = ? AND event_json IS NOT NULL ORDER BY seq',
    sessionId,
  )
  return rows.map(({ event_json }) => parseRecord(asString(event_json) ?? '')).filter((one) => one !== null)
}

/** Conversations of the main agent with the Gateway or with `agent --local`; `agent exec` leaves none. */
export const sessions: SessionTables = {
  list(database, cwd) {
    const rows = database.all('SELECT current_session_id AS id FROM session_nodes ORDER BY updated_at')
    const ids = rows.flatMap(({ id }) => asString(id) ?? [])
    return cwd === undefined ? ids : ids.filter((id) => readTree(recordsOf(database, id), id).facts.cwd === cwd)
  },
  stamps(database) {
    const rows = database.all(
      'SELECT session_id AS id, max(seq) AS last, count(*) AS n, max(created_at) AS at FROM transcript_events GROUP BY 1',
    )
    return rows.map(({ id, last, n, at }) => ({
      id: asString(id) ?? '',
      stamp: `${last} ${n}`,
      touchedAt: asNumber(at) ?? 0,
    }))
  },
  reading: (database, sessionId) => readTree(recordsOf(database, sessionId), sessionId),
  read(database, sessionId) {
    const records = recordsOf(database, sessionId)
    return records.length === 0 ? null : sessionOfRecords('openclaw', records, sessionId)
  },
}
