import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asString, asTime, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'
import { readByLine, SessionTimes, sessionOf } from '../kit/session.ts'
import { userText } from './session-lines.ts'
import { log } from './session-log.ts'
import { readCounts } from './usage.ts'

const SESSION_FILE = /(?:^|[\\/])rollout-[^\\/]*\.jsonl$/
const ID_IN_NAME = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/

/** Lines that hold nothing of the conversation but can be very long. */
const SKIPPED_LINE = /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(?:world_state|compacted)"/

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return parseRecord(value) ?? value
}

function callOf(payload: JsonRecord): { toolName: string; input: unknown } | null {
  switch (payload.type) {
    case 'function_call': {
      const namespace = asString(payload.namespace)
      const name = asString(payload.name) ?? ''
      return { toolName: namespace ? `${namespace}__${name}` : name, input: parsed(payload.arguments) }
    }
    case 'custom_tool_call':
      return { toolName: asString(payload.name) ?? '', input: parsed(payload.input) }
    case 'local_shell_call':
      return { toolName: 'shell', input: payload.action }
    case 'web_search_call':
      return { toolName: 'web_search', input: payload.action }
    case 'tool_search_call':
      return { toolName: 'tool_search', input: payload.arguments }
    default:
      return null
  }
}

class SessionReader {
  readonly #messages: SessionMessage[] = []
  readonly #calls = new Map<string, SessionToolCall>()
  #id: string | undefined
  #cwd: string | undefined
  #forkedFrom: string | undefined
  #model: string | undefined
  #thinking = ''
  readonly #times = new SessionTimes()
  #turnCount = 0
  #ownUsage: TokenUsage | undefined
  #threadUsage: TokenUsage | undefined

  line(record: JsonRecord): void {
    const timestamp = asTime(record.timestamp)
    this.#times.see(timestamp)
    const payload = asRecord(record.payload)
    if (!payload) return
    switch (record.type) {
      case 'session_meta':
        this.#meta(payload)
        break
      case 'turn_context':
        this.#model = asString(payload.model) ?? this.#model
        break
      case 'response_item':
        this.#item(payload, timestamp)
        break
      case 'event_msg':
        this.#event(payload)
        break
      case 'token_usage_record':
        this.#ownUsage = addUsage(this.#ownUsage ?? emptyUsage(), readCounts(asRecord(payload.usage) ?? {}))
    }
  }

  /** Files of older forks repeat the record of their origin, so the first one counts. */
  #meta(payload: JsonRecord): void {
    if (this.#id !== undefined) return
    this.#id = asString(payload.id)
    this.#cwd = asString(payload.cwd)
    this.#forkedFrom = asString(payload.forked_from_id)
  }

  #event(payload: JsonRecord): void {
    if (payload.type === 'task_started') this.#turnCount += 1
    if (payload.type === 'token_count') {
      const total = asRecord(asRecord(payload.info)?.total_token_usage)
      if (total) this.#threadUsage = addUsage(emptyUsage(), readCounts(total))
    }
    if (payload.type !== 'item_completed') return
    const call = this.#calls.get(asString(asRecord(payload.item)?.id) ?? '')
    const [start, end] = [asNumber(payload.started_at_ms), asNumber(payload.completed_at_ms)]
    if (call && start !== undefined && end !== undefined) call.durationMs = end - start
  }

  #item(payload: JsonRecord, timestamp: number | undefined): void {
    const call = callOf(payload)
    const toolCallId = asString(payload.call_id) ?? asString(payload.id) ?? ''
    if (call) this.#call({ toolCallId, ...call }, timestamp)
    else if (payload.type === 'message') this.#message(payload, timestamp)
    else if (payload.type === 'reasoning') this.#thinking = textOf(payload.summary)
    else if (payload.output !== undefined || payload.tools !== undefined) this.#output(payload)
  }

  #message(payload: JsonRecord, timestamp: number | undefined): void {
    if (payload.role === 'assistant') {
      this.#messages.push(this.#assistant(textOf(payload.content), timestamp))
    } else if (payload.role === 'user') {
      const content = userText(payload)
      if (content === '') return
      this.#messages.push({ role: 'user', content, timestamp })
    }
  }

  #assistant(content: string, timestamp: number | undefined): SessionMessage {
    const thinking = this.#thinking || undefined
    this.#thinking = ''
    return { role: 'assistant', content, timestamp, thinking, model: this.#model }
  }

  /** A call belongs to the words that announced it, or to a message of its own. */
  #call(call: SessionToolCall, timestamp: number | undefined): void {
    let message = this.#messages.at(-1)
    if (message?.role !== 'assistant') {
      message = this.#assistant('', timestamp)
      this.#messages.push(message)
    }
    message.toolCalls = [...(message.toolCalls ?? []), call]
    this.#calls.set(call.toolCallId, call)
  }

  #output(payload: JsonRecord): void {
    const call = this.#calls.get(asString(payload.call_id) ?? '')
    if (call)
      call.output = typeof payload.output === 'string' ? payload.output : textOf(payload.output ?? payload.tools)
  }

  /** A fork's thread total counts its origin too; the records of single requests are its own. */
  session(filePath: string): Session {
    const sessionId = this.#id ?? ID_IN_NAME.exec(filePath)?.[1] ?? basename(filePath, '.jsonl')
    return sessionOf('codex', sessionId, {
      createdAt: this.#times.createdAt,
      updatedAt: this.#times.updatedAt,
      turnCount: this.#turnCount || this.#messages.filter(({ role }) => role === 'user').length,
      model: this.#model,
      cwd: this.#cwd,
      forkedFrom: this.#forkedFrom,
      messages: this.#messages,
      tokenUsage: this.#ownUsage ?? (this.#forkedFrom === undefined ? this.#threadUsage : undefined),
    })
  }
}

/** `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`. The folders say nothing of the project. */
export const sessions: SessionFiles = {
  isSession: (relativePath) => SESSION_FILE.test(relativePath),
  log,
  read: readByLine(
    () => new SessionReader(),
    (line) => SKIPPED_LINE.test(line),
  ),
}
