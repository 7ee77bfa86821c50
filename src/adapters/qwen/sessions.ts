import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { filesByProject, readByLine, SessionTimes, sessionOf } from '../kit/session.ts'
import { readUsage, userText } from './session-lines.ts'
import { log } from './session-log.ts'

const SESSION_FILE = /^([^/]+)\/chats\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/

/** The folder of a project: its path with every other character than letters and digits as a dash. */
function isProjectFolder(folder: string, cwd: string): boolean {
  return folder === cwd.replace(/[^a-zA-Z0-9]/g, '-')
}

class SessionReader {
  readonly #messages: SessionMessage[] = []
  readonly #calls = new Map<string, SessionToolCall>()
  readonly #times = new SessionTimes()
  #turnCount = 0
  #cwd: string | undefined
  #forkedFrom: string | undefined

  line(record: JsonRecord): void {
    const timestamp = asTime(record.timestamp)
    this.#times.see(timestamp)
    this.#cwd ??= asString(record.cwd)
    this.#forkedFrom ??= asString(asRecord(record.forkedFrom)?.sessionId)
    const parts = asRecords(asRecord(record.message)?.parts)
    if (record.type === 'user') this.#user(record, parts, timestamp)
    else if (record.type === 'assistant') this.#assistant(record, parts, timestamp)
    else if (record.type === 'tool_result') this.#toolResult(parts)
  }

  #user(record: JsonRecord, parts: JsonRecord[], timestamp: number | undefined): void {
    const content = userText(record, parts)
    if (content === '') return
    if (record.subtype === undefined) this.#turnCount += 1
    this.#messages.push({ role: 'user', content, timestamp })
  }

  #assistant(record: JsonRecord, parts: JsonRecord[], timestamp: number | undefined): void {
    const message: SessionMessage = { role: 'assistant', content: '', timestamp }
    const usage = asRecord(record.usageMetadata)
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

  session(filePath: string): Session {
    const sessionId = basename(filePath, '.jsonl')
    return sessionOf('qwen', sessionId, {
      createdAt: this.#times.createdAt,
      updatedAt: this.#times.updatedAt,
      turnCount: this.#turnCount,
      cwd: this.#cwd,
      forkedFrom: this.#forkedFrom,
      messages: this.#messages,
    })
  }
}

/** `<home>/projects/<project>/chats/<id>.jsonl`. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, isProjectFolder),
  log,
  read: readByLine(() => new SessionReader()),
}
