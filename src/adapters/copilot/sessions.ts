import { basename, dirname } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord } from '../../core/json.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'
import { readByLine, SessionTimes, sessionOf } from '../kit/session.ts'
import { readUsage } from './session-lines.ts'
import { log } from './session-log.ts'

const SESSION_FILE = /^[^/]+\/events\.jsonl$/

class SessionReader {
  readonly #messages: SessionMessage[] = []
  readonly #calls = new Map<string, SessionToolCall>()
  readonly #startedAt = new Map<string, number>()
  #usage: TokenUsage | undefined
  #id: string | undefined
  #cwd: string | undefined
  #model: string | undefined
  readonly #times = new SessionTimes()

  line(record: JsonRecord): void {
    const timestamp = asTime(record.timestamp)
    this.#times.see(timestamp)
    const data = asRecord(record.data) ?? {}
    if (record.type === 'session.usage_record') this.#count(asRecord(data.usage) ?? {})
    else if (record.type === 'tool.execution_start')
      this.#startedAt.set(asString(data.toolCallId) ?? '', timestamp ?? Number.NaN)
    else if (record.type === 'tool.execution_complete') this.#output(data, timestamp ?? Number.NaN)
    // What sub-agents say and hear is not a part of the conversation.
    else if (record.agentId === undefined) this.#own(record.type, data, timestamp)
  }

  #own(type: unknown, data: JsonRecord, timestamp: number | undefined): void {
    switch (type) {
      case 'session.start':
      case 'session.resume':
        this.#id ??= asString(data.sessionId)
        this.#cwd ??= asString(asRecord(data.context)?.cwd)
        this.#model = asString(data.selectedModel) ?? this.#model
        break
      case 'user.message':
        this.#messages.push({ role: 'user', content: asString(data.content) ?? '', timestamp })
        break
      case 'assistant.message':
        this.#assistant(data, timestamp)
    }
  }

  #assistant(data: JsonRecord, timestamp: number | undefined): void {
    const calls = asRecords(data.toolRequests).map(({ toolCallId, name, arguments: input }): SessionToolCall => {
      const call = { toolCallId: asString(toolCallId) ?? '', toolName: asString(name) ?? '', input }
      this.#calls.set(call.toolCallId, call)
      return call
    })
    this.#model = asString(data.model) ?? this.#model
    this.#messages.push({
      role: 'assistant',
      content: asString(data.content) ?? '',
      timestamp,
      model: asString(data.model),
      thinking: asString(data.reasoningText),
      toolCalls: calls.length > 0 ? calls : undefined,
    })
  }

  #output(data: JsonRecord, time: number): void {
    const toolCallId = asString(data.toolCallId) ?? ''
    const call = this.#calls.get(toolCallId)
    if (!call) return
    call.output = asString(asRecord(data.result)?.content) ?? asString(asRecord(data.error)?.message)
    const durationMs = time - (this.#startedAt.get(toolCallId) ?? Number.NaN)
    if (!Number.isNaN(durationMs)) call.durationMs = durationMs
  }

  /** One call of the model. */
  #count(usage: JsonRecord): void {
    this.#usage = addUsage(this.#usage ?? emptyUsage(), readUsage(usage))
  }

  session(filePath: string): Session {
    const sessionId = this.#id ?? basename(dirname(filePath))
    return sessionOf('copilot', sessionId, {
      createdAt: this.#times.createdAt,
      updatedAt: this.#times.updatedAt,
      model: this.#model,
      cwd: this.#cwd,
      messages: this.#messages,
      tokenUsage: this.#usage,
    })
  }
}

/** `$COPILOT_HOME/session-state/<id>/events.jsonl`. The folders say nothing of the project. */
export const sessions: SessionFiles = {
  isSession: (relativePath) => SESSION_FILE.test(relativePath),
  log,
  read: readByLine(() => new SessionReader()),
}
