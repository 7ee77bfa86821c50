import type { Rows, SessionTables } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import { asRecord, asRecords, asString, type JsonRecord, parseRecord } from '../../core/json.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { sessionOf } from '../kit/session.ts'
import { cwdOf, lineageOf, sessionReading, sessionStamps, timeOf } from './session-reading.ts'

function toolCalls(text: unknown): SessionToolCall[] {
  const { list } = parseRecord(`{"list":${asString(text) || '[]'}}`) ?? {}
  return asRecords(list).map((call) => {
    const { name, arguments: input } = asRecord(call.function) ?? call
    const toolCallId = asString(call.id) ?? ''
    return { toolCallId, toolName: asString(name) ?? '', input: parseRecord(asString(input) ?? '') ?? input }
  })
}

function messagesOf(rows: readonly JsonRecord[]): SessionMessage[] {
  const messages: SessionMessage[] = []
  const calls = new Map<string, SessionToolCall>()
  for (const row of rows) {
    const content = asString(row.content) ?? ''
    const timestamp = timeOf(row.timestamp) || undefined
    if (row.role === 'tool') {
      const call = calls.get(asString(row.tool_call_id) ?? '')
      if (call) call.output = content
    } else if (row.role === 'user' || row.role === 'system') messages.push({ role: row.role, content, timestamp })
    else if (row.role === 'assistant') {
      const made = toolCalls(row.tool_calls)
      for (const call of made) calls.set(call.toolCallId, call)
      const thinking = asString(row.reasoning) || undefined
      messages.push({ role: 'assistant', content, timestamp, thinking, toolCalls: made.length > 0 ? made : undefined })
    }
  }
  return messages
}

function read(database: Rows, sessionId: string): Session | null {
  const [row] = database.all('SELECT * FROM sessions WHERE id = ?', sessionId)
  if (!row) return null
  const messages = messagesOf(database.all('SELECT * FROM messages WHERE session_id = ? ORDER BY id', sessionId))
  const firstWords = messages.find(({ role }) => role === 'user')?.content ?? ''
  const createdAt = timeOf(row.started_at)
  return sessionOf('hermes', sessionId, {
    title: sessionTitle(asString(row.title) || firstWords),
    summary: asString(row.title),
    createdAt,
    updatedAt: messages.at(-1)?.timestamp ?? createdAt,
    model: asString(row.model),
    cwd: cwdOf(row),
    forkedFrom: lineageOf(row).forkedFrom,
    messages,
  })
}

/** One database for all projects. */
export const sessions: SessionTables = {
  list(database, cwd) {
    const rows = database.all('SELECT id, cwd, model_config FROM sessions ORDER BY started_at')
    return rows.flatMap((row) => (cwd === undefined || cwdOf(row) === cwd ? (asString(row.id) ?? []) : []))
  },
  read,
  stamps: sessionStamps,
  reading: sessionReading,
}
