import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { readJson } from '../../files/read-json.ts'
import { filesByProject, forEachRecord, SessionTimes, sessionOf } from '../kit/session.ts'
import { beside, readUsage, settingsOf, wordsIn } from './session-lines.ts'
import { log } from './session-log.ts'

const SESSION_FILE = /^([^/]+)\/([0-9a-f-]{36})\.jsonl$/

/** The folder of a project: its path with a dash for every separator. */
function projectFolder(cwd: string): string {
  return cwd.replace(/[\\/:]/g, '-')
}

interface Reader {
  messages: SessionMessage[]
  calls: Map<string, SessionToolCall>
  id?: string
  cwd?: string
  forkedFrom?: string
  title?: string
  model?: string
  times: SessionTimes
}

function readMessage(reader: Reader, record: JsonRecord): void {
  const native = asRecord(record.message) ?? {}
  const timestamp = asTime(record.timestamp)
  reader.times.see(timestamp)
  if (native.visibility === 'llm_only') return
  const blocks = asRecords(native.content)
  for (const block of blocks) {
    const call = block.type === 'tool_result' ? reader.calls.get(textOf(block.tool_use_id)) : undefined
    if (call) call.output = textOf(block.content)
  }
  const content = wordsIn(blocks, 'text')
  if (native.role !== 'assistant') {
    if (content !== '') reader.messages.push({ role: native.role === 'user' ? 'user' : 'system', content, timestamp })
    return
  }
  const toolCalls = blocks
    .filter((block) => block.type === 'tool_use')
    .map(({ id, name, input }) => ({ toolCallId: textOf(id), toolName: textOf(name), input }))
  for (const call of toolCalls) reader.calls.set(call.toolCallId, call)
  const model = asString(native.modelId)
  reader.model = model ?? reader.model
  reader.messages.push({
    role: 'assistant',
    content,
    timestamp,
    model,
    thinking: wordsIn(blocks, 'thinking') || undefined,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
  })
}

/** `<home>/sessions/<project>/<id>.jsonl`, and beside it `<id>.settings.json` with the counts. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, (folder, cwd) => folder === projectFolder(cwd)),
  log,
  beside,
  async read(lines, filePath) {
    const reader: Reader = { messages: [], calls: new Map(), times: new SessionTimes() }
    await forEachRecord(lines, (record) => {
      if (record.type === 'session_start') {
        reader.id = asString(record.id)
        reader.cwd = asString(record.cwd)
        reader.title = asString(record.title)
        reader.forkedFrom = asString(record.parent)
      } else if (record.type === 'message') readMessage(reader, record)
    })
    const { messages, cwd, forkedFrom, model, times } = reader
    return sessionOf('droid', reader.id ?? basename(filePath, '.jsonl'), {
      createdAt: times.createdAt,
      updatedAt: times.updatedAt,
      messages,
      summary: reader.title,
      model,
      tokenUsage: readUsage(await readJson(settingsOf(filePath))),
      cwd,
      forkedFrom,
    })
  },
}
