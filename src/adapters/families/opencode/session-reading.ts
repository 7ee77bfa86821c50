import type { Rows, SessionReading, SessionStamp, UsageRow } from '../../../contract/session-store.ts'
import { asNumber, asRecord, asString, type JsonRecord, parseRecord } from '../../../core/json.ts'
import { usageRow } from '../../../core/session-log.ts'
import { sessionTitle } from '../../../core/session-title.ts'
import { addPart, dataOf, modelOf, readMessage } from './sessions.ts'
import { readTokens } from './usage.ts'

/** A message changes while it is written, and only then does its session. */
export function sessionStamps(database: Rows): SessionStamp[] {
  const rows = database.all(`
    SELECT session.id, session.time_updated AS changed, count(message.id) AS messages, max(message.time_updated) AS written
    FROM session LEFT JOIN message ON message.session_id = session.id GROUP BY session.id`)
  return rows.map((row) => ({
    id: asString(row.id) ?? '',
    stamp: [row.changed, row.messages, row.written].join(' '),
    touchedAt: Math.max(asNumber(row.changed) ?? 0, asNumber(row.written) ?? 0),
  }))
}

/**
 * A fork copies messages under new ids, but with their times. A sub-agent is not forked, and several of them may begin
 * at once.
 */
function keyOf(row: JsonRecord, data: JsonRecord, isSubagent: boolean): string {
  const created = asNumber(asRecord(data.time)?.created) ?? asNumber(row.time_created) ?? 0
  return isSubagent ? (asString(row.id) ?? '') : `${created} ${asString(data.modelID)}`
}

function usageOf(row: JsonRecord, isSubagent: boolean): UsageRow[] {
  const data = dataOf(row)
  const tokens = asRecord(data.tokens)
  if (!tokens) return []
  const counts = readTokens(tokens)
  if (counts.inputTokens + counts.outputTokens === 0) return []
  const at = asNumber(row.time_created) ?? 0
  const usage = usageRow(keyOf(row, data, isSubagent), at, modelOf(data.providerID, data.modelID), counts)
  // Of a model without a price the agent says 0.
  return [{ ...usage, costUsd: asNumber(data.cost) || undefined }]
}

const USER_PARTS = `
  SELECT part.message_id, part.data FROM part JOIN message ON message.id = part.message_id
  WHERE message.session_id = ? AND json_extract(message.data, '$.role') = 'user' ORDER BY part.id`

/** The same facts as those of the whole session, without the words of the agent. */
export function sessionReading(database: Rows, sessionId: string): SessionReading | null {
  const [session] = database.all('SELECT * FROM session WHERE id = ?', sessionId)
  if (!session) return null
  const rows = database.all('SELECT * FROM message WHERE session_id = ? ORDER BY id', sessionId)
  const messages = new Map(rows.map((row) => [asString(row.id) ?? '', readMessage(row)]))
  for (const part of database.all(USER_PARTS, sessionId)) {
    const message = messages.get(asString(part.message_id) ?? '')
    if (message) addPart(message, dataOf(part))
  }
  const list = [...messages.values()]
  const said = list.filter(({ role, content }) => role === 'user' && content !== '')
  const model = parseRecord(asString(session.model) ?? '') ?? {}
  const parentId = asString(session.parent_id)
  return {
    facts: {
      sessionId,
      parentId,
      title: sessionTitle(said[0]?.content ?? asString(session.title) ?? ''),
      createdAt: asNumber(session.time_created) ?? 0,
      updatedAt: asNumber(session.time_updated) ?? 0,
      turnCount: said.length,
      messageCount: list.length,
      model: modelOf(model.providerID, model.id) ?? list.findLast((one) => one.model !== undefined)?.model,
      cwd: asString(session.directory),
    },
    usage: rows.flatMap((row) => usageOf(row, parentId !== undefined)),
  }
}
