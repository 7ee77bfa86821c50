import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { filesByProject, forEachRecord, SessionTimes, sessionOf } from '../../core/session.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'
import { readJson } from '../../files/read-json.ts'

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
  model?: string
  times: SessionTimes
}

/** What the CLI itself says in the user's name. */
const INJECTED = /^<system-(reminder|notification)>/

function readMessage(reader: Reader, record: JsonRecord): void {
  const native = asRecord(record.message) ?? {}
  const timestamp = asTime(record.timestamp)
  reader.times.see(timestamp)
  if (native.visibility === 'llm_only') return
  const blocks = asRecords(native.content)
  const textIn = (type: string) =>
    blocks
      .filter((block) => block.type === type)
      .map((block) => textOf(block[type]))
      .filter((text) => !INJECTED.test(text))
      .join('\n')
  for (const block of blocks) {
    const call = block.type === 'tool_result' ? reader.calls.get(textOf(block.tool_use_id)) : undefined
    if (call) call.output = textOf(block.content)
  }
  const content = textIn('text')
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
    thinking: textIn('thinking') || undefined,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
  })
}

/** Sub-agents included. */
function readUsage(settings: JsonRecord | undefined): TokenUsage | undefined {
  const native = asRecord(settings?.inclusiveTokenUsage) ?? asRecord(settings?.tokenUsage)
  if (!native) return undefined
  const cacheReadTokens = asNumber(native.cacheReadTokens) ?? 0
  const cacheCreationTokens = asNumber(native.cacheCreationTokens) ?? 0
  return addUsage(emptyUsage(), {
    inputTokens: (asNumber(native.inputTokens) ?? 0) + cacheReadTokens + cacheCreationTokens,
    outputTokens: asNumber(native.outputTokens) ?? 0,
    thinkingTokens: asNumber(native.thinkingTokens) ?? 0,
    cacheReadTokens,
    cacheCreationTokens,
  })
}

/** `<home>/sessions/<project>/<id>.jsonl`, and beside it `<id>.settings.json` with the counts. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, (folder, cwd) => folder === projectFolder(cwd)),
  async read(lines, filePath) {
    const reader: Reader = { messages: [], calls: new Map(), times: new SessionTimes() }
    await forEachRecord(lines, (record) => {
      if (record.type === 'session_start') {
        reader.id = asString(record.id)
        reader.cwd = asString(record.cwd)
      } else if (record.type === 'message') readMessage(reader, record)
    })
    const { messages, cwd, model, times } = reader
    return sessionOf('droid', reader.id ?? basename(filePath, '.jsonl'), {
      createdAt: times.createdAt,
      updatedAt: times.updatedAt,
      messages,
      model,
      tokenUsage: readUsage(await readJson(filePath.replace(/\.jsonl$/, '.settings.json'))),
      cwd,
    })
  },
}
