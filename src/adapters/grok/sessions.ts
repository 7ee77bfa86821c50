import { basename, dirname, join } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { readJson } from '../../files/read-json.ts'
import { filesByProject, forEachRecord, sessionOf } from '../kit/session.ts'
import { beside, promptText, readTotal } from './session-lines.ts'
import { log } from './session-log.ts'

const SESSION_FILE = /^([^/]+)\/[^/]+\/chat_history\.jsonl$/

function readUser(record: JsonRecord): SessionMessage[] {
  const content = promptText(record)
  return content === '' ? [] : [{ role: 'user', content }]
}

function readAssistant(record: JsonRecord, calls: Map<string, SessionToolCall>): SessionMessage {
  const toolCalls = asRecords(record.tool_calls).map(({ id, name, arguments: input }) => ({
    toolCallId: textOf(id),
    toolName: textOf(name),
    input: parseRecord(textOf(input)) ?? input,
  }))
  for (const call of toolCalls) calls.set(call.toolCallId, call)
  return {
    role: 'assistant',
    content: textOf(record.content),
    model: asString(record.model_id),
    thinking: asString(record.reasoning_content),
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
  }
}

/** `<home>/sessions/<cwd, URL-encoded>/<id>/chat_history.jsonl`, with `summary.json` and `usage.json` beside it. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, (folder, cwd) => folder === encodeURIComponent(cwd)),
  log,
  beside,
  async read(lines, filePath) {
    const messages: SessionMessage[] = []
    const calls = new Map<string, SessionToolCall>()
    await forEachRecord(lines, (record) => {
      if (record.type === 'assistant') messages.push(readAssistant(record, calls))
      else if (record.type === 'user') messages.push(...readUser(record))
      else if (record.type === 'tool_result') {
        const call = calls.get(textOf(record.tool_call_id))
        if (call) call.output = textOf(record.content)
      }
    })
    const folder = dirname(filePath)
    const summary = (await readJson(join(folder, 'summary.json'))) ?? {}
    const { id, cwd } = asRecord(summary.info) ?? {}
    return sessionOf('grok', asString(id) ?? basename(folder), {
      createdAt: asTime(summary.created_at) ?? 0,
      updatedAt: asTime(summary.updated_at) ?? 0,
      messages,
      summary: asString(summary.generated_title),
      model: asString(summary.current_model_id),
      tokenUsage: readTotal(await readJson(join(folder, 'usage.json'))),
      cwd: asString(cwd),
      forkedFrom: asString(summary.parent_session_id),
    })
  },
}
