import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'

const SESSION_FILE = /^([^/]+)\/chats\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/

/** The folder of a project: its path with every other character than letters and digits as a dash. */
function isProjectFolder(folder: string, cwd: string): boolean {
  return folder === cwd.replace(/[^a-zA-Z0-9]/g, '-')
}

class SessionReader {
  readonly #messages: SessionMessage[] = []
  readonly #calls = new Map<string, SessionToolCall>()
  #createdAt = 0
  #updatedAt = 0
  #turnCount = 0
  #title = ''
  #cwd: string | undefined
  #model: string | undefined
  #forkedFrom: string | undefined

  line(record: JsonRecord): void {
    const timestamp = Date.parse(asString(record.timestamp) ?? '')
    if (!Number.isNaN(timestamp)) {
      this.#createdAt ||= timestamp
      this.#updatedAt = Math.max(this.#updatedAt, timestamp)
    }
    this.#cwd ??= asString(record.cwd)
    this.#forkedFrom ??= asString(asRecord(record.forkedFrom)?.sessionId)
    const parts = asRecords(asRecord(record.message)?.parts)
    if (record.type === 'user') this.#user(record, parts, timestamp || undefined)
    else if (record.type === 'assistant') this.#assistant(record, parts, timestamp || undefined)
    else if (record.type === 'tool_result') this.#toolResult(parts)
  }

  /** Notes of the CLI to the model are user records, too, but not of a real user. */
  #user(record: JsonRecord, parts: JsonRecord[], timestamp: number | undefined): void {
    const content = parts.map((part) => textOf(part.text)).join('\n')
    if (content === '' || (record.provenance !== undefined && record.provenance !== 'real_user')) return
    if (record.subtype === undefined) this.#turnCount += 1
    this.#title ||= sessionTitle(content)
    this.#messages.push({ role: 'user', content, timestamp })
  }

  #assistant(record: JsonRecord, parts: JsonRecord[], timestamp: number | undefined): void {
    const message: SessionMessage = { role: 'assistant', content: '', timestamp }
    const usage = asRecord(record.usageMetadata)
    this.#model = asString(record.model) ?? this.#model
    message.model = asString(record.model)
    if (usage) message.tokenUsage = readUsage(usage)
    for (const part of parts) this.#part(message, part)
    this.#messages.push(message)
  }

  #part(message: SessionMessage, part: JsonRecord): void {
    const call = asRecord(part.functionCall)
    if (call) {
      const toolCallId = asString(call.id) ?? ''
      const made: SessionToolCall = { toolCallId, toolName: asString(call.name) ?? '', input: call.args }
      this.#calls.set(toolCallId, made)
      message.toolCalls = [...(message.toolCalls ?? []), made]
    } else if (part.thought === true) message.thinking = (message.thinking ?? '') + textOf(part.text)
    else message.content += textOf(part.text)
  }

  #toolResult(parts: JsonRecord[]): void {
    for (const part of parts) {
      const native = asRecord(part.functionResponse)
      const call = this.#calls.get(asString(native?.id) ?? '')
      const response = asRecord(native?.response)
      if (call) call.output = response?.output ?? response?.error ?? response
    }
  }

  session(sessionId: string): Session {
    const usages = this.#messages.flatMap(({ tokenUsage }) => (tokenUsage ? [tokenUsage] : []))
    return {
      agent: 'qwen',
      sessionId,
      unifiedId: `qwen:${sessionId}`,
      title: this.#title,
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      turnCount: this.#turnCount,
      model: this.#model,
      tags: [],
      cwd: this.#cwd,
      forkedFrom: this.#forkedFrom,
      messages: this.#messages,
      tokenUsage: usages.length === 0 ? undefined : usages.reduce(addUsage, emptyUsage()),
    }
  }
}

function readUsage(usage: JsonRecord): TokenUsage {
  return addUsage(emptyUsage(), {
    inputTokens: asNumber(usage.promptTokenCount) ?? 0,
    outputTokens: asNumber(usage.candidatesTokenCount) ?? 0,
    thinkingTokens: asNumber(usage.thoughtsTokenCount),
    cacheReadTokens: asNumber(usage.cachedContentTokenCount),
  })
}

/** `<home>/projects/<project>/chats/<id>.jsonl`. */
export const sessions: SessionFiles = {
  isSession(relativePath, cwd) {
    const folder = SESSION_FILE.exec(relativePath)?.[1]
    return folder !== undefined && (cwd === undefined || isProjectFolder(folder, cwd))
  },
  async read(lines, filePath) {
    const reader = new SessionReader()
    for await (const line of lines) {
      const record = parseRecord(line)
      if (record) reader.line(record)
    }
    return reader.session(basename(filePath, '.jsonl'))
  },
}
