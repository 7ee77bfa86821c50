import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { filesByProject, forEachRecord, sessionOf } from '../../core/session.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'
import { textIfThere } from '../../files/run-lookups.ts'

const SESSION_FILE = /^([^/]+)\/chats\/session-[^/]+\.jsonl$/

/** The folder of a project: the name of its directory, with a number when that is taken; once it was a hash. */
function isProjectFolder(folder: string, cwd: string): boolean {
  const slug = basename(cwd)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (folder === createHash('sha256').update(cwd).digest('hex')) return true
  return folder.startsWith(slug || 'project') && /^(-\d+)?$/.test(folder.slice((slug || 'project').length))
}

/** What the CLI itself writes in the user's name. */
const CONTEXT = /^\s*<(session_context|hook_context)>/

class SessionReader {
  /** By id: a message that is told again takes the place of what was told before. */
  #messages = new Map<string, JsonRecord>()
  #id: string | undefined
  #summary: string | undefined
  #createdAt = 0
  #updatedAt = 0

  line(record: JsonRecord): void {
    const changes = asRecord(record.$set)
    if (changes) this.#change(changes)
    else if (asString(record.id) !== undefined) this.#message(record)
    else this.#header(record)
  }

  #header({ sessionId, startTime, lastUpdated }: JsonRecord): void {
    this.#id ??= asString(sessionId)
    this.#createdAt ||= asTime(startTime) ?? 0
    this.#updatedAt = Math.max(this.#updatedAt, asTime(lastUpdated) ?? 0)
  }

  #change(changes: JsonRecord): void {
    this.#header({ ...changes, startTime: undefined })
    this.#summary = asString(changes.summary) ?? this.#summary
    // A list of messages is all of them from then on, without the tokens that were told before.
    if (!Array.isArray(changes.messages)) return
    const before = this.#messages
    this.#messages = new Map()
    for (const message of asRecords(changes.messages)) {
      this.#message({ ...before.get(asString(message.id) ?? ''), ...message })
    }
  }

  #message(record: JsonRecord): void {
    this.#messages.set(asString(record.id) ?? '', record)
    this.#updatedAt = Math.max(this.#updatedAt, asTime(record.timestamp) ?? 0)
  }

  session(filePath: string): Session {
    const sessionId = this.#id ?? basename(filePath, '.jsonl')
    const messages = [...this.#messages.values()].flatMap(readMessage)
    return sessionOf('gemini', sessionId, {
      title: sessionTitle(messages.find(({ role }) => role === 'user')?.content ?? this.#summary ?? ''),
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      cwd: projectRoot(filePath),
      messages,
    })
  }
}

/** Not in the file itself. */
function projectRoot(filePath: string): string | undefined {
  return textIfThere(join(dirname(dirname(filePath)), '.project_root'))?.trim() || undefined
}

/** Neither what the CLI tells the model nor the results of tools, which stand with their calls as well. */
function readMessage(record: JsonRecord): SessionMessage[] {
  const content = textOf(record.content)
  const timestamp = asTime(record.timestamp)
  if (record.type === 'user')
    return content === '' || CONTEXT.test(content) ? [] : [{ role: 'user', content, timestamp }]
  if (record.type !== 'gemini') return []
  const message: SessionMessage = { role: 'assistant', content, timestamp, model: asString(record.model) }
  const thoughts = asRecords(record.thoughts).map(
    ({ subject, description }) => `**${textOf(subject)}**\n${textOf(description)}`,
  )
  const tokens = asRecord(record.tokens)
  const calls = asRecords(record.toolCalls).map(readCall)
  if (thoughts.length > 0) message.thinking = thoughts.join('\n\n')
  if (tokens) message.tokenUsage = readUsage(tokens)
  if (calls.length > 0) message.toolCalls = calls
  return [message]
}

function readCall(call: JsonRecord): SessionToolCall {
  const [result] = asRecords(call.result)
  const response = asRecord(asRecord(result?.functionResponse)?.response)
  return {
    toolCallId: asString(call.id) ?? '',
    toolName: asString(call.name) ?? '',
    input: call.args,
    output: response?.output ?? response?.error ?? call.resultDisplay,
  }
}

function readUsage(tokens: JsonRecord): TokenUsage {
  const thinkingTokens = asNumber(tokens.thoughts) ?? 0
  return addUsage(emptyUsage(), {
    inputTokens: asNumber(tokens.input) ?? 0,
    outputTokens: (asNumber(tokens.output) ?? 0) + thinkingTokens,
    thinkingTokens,
    cacheReadTokens: asNumber(tokens.cached),
  })
}

/** `<home>/tmp/<project>/chats/session-<time>-<first of the id>.jsonl`. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, isProjectFolder),
  async read(lines, filePath) {
    const reader = new SessionReader()
    await forEachRecord(lines, (record) => reader.line(record))
    return reader.session(filePath)
  },
}
