import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { sessionTitle } from '../../core/session-title.ts'
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
  title: string
  id?: string
  cwd?: string
  model?: string
  createdAt: number
  updatedAt: number
}

/** What the CLI itself says in the user's name. */
const INJECTED = /^<system-(reminder|notification)>/

function readMessage(reader: Reader, record: JsonRecord): void {
  const native = asRecord(record.message) ?? {}
  const timestamp = Date.parse(asString(record.timestamp) ?? '') || undefined
  if (timestamp !== undefined) {
    reader.createdAt ||= timestamp
    reader.updatedAt = Math.max(reader.updatedAt, timestamp)
  }
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
    if (content !== '') {
      reader.title ||= sessionTitle(content)
      reader.messages.push({ role: native.role === 'user' ? 'user' : 'system', content, timestamp })
    }
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
  isSession(relativePath, cwd) {
    const folder = SESSION_FILE.exec(relativePath)?.[1]
    return folder !== undefined && (cwd === undefined || folder === projectFolder(cwd))
  },
  async read(lines, filePath) {
    const reader: Reader = { messages: [], calls: new Map(), title: '', createdAt: 0, updatedAt: 0 }
    for await (const line of lines) {
      const record = parseRecord(line)
      if (record?.type === 'session_start') {
        reader.id = asString(record.id)
        reader.cwd = asString(record.cwd)
      } else if (record?.type === 'message') readMessage(reader, record)
    }
    const { messages, title, cwd, model, createdAt, updatedAt } = reader
    const sessionId = reader.id ?? basename(filePath, '.jsonl')
    return {
      agent: 'droid',
      sessionId,
      unifiedId: `droid:${sessionId}`,
      title,
      createdAt,
      updatedAt,
      turnCount: messages.filter(({ role }) => role === 'user').length,
      messages,
      model,
      tokenUsage: readUsage(await readJson(filePath.replace(/\.jsonl$/, '.settings.json'))),
      cwd,
      tags: [],
    }
  },
}
