import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage } from '../../contract/sessions.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord } from '../../core/json.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { filesByProject, readByLine, sessionOf } from '../kit/session.ts'
import { projectRoot, readMessage } from './session-lines.ts'
import { log } from './session-log.ts'

const SESSION_FILE = /^([^/]+)\/chats\/session-[^/]+\.jsonl$/
const SUBAGENT_FILE = /^[^/]+\/chats\/([0-9a-f-]{36})\/[^/]+\.jsonl$/

/** The folder of a project: the name of its directory, with a number when that is taken; once it was a hash. */
function isProjectFolder(folder: string, cwd: string): boolean {
  const slug = basename(cwd)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (folder === createHash('sha256').update(cwd).digest('hex')) return true
  return folder.startsWith(slug || 'project') && /^(-\d+)?$/.test(folder.slice((slug || 'project').length))
}

export class SessionReader {
  /** By id: a message that is reported again replaces what was reported before. */
  #messages = new Map<string, JsonRecord>()
  /** Also what is not in the conversation for the moment: a resume begins with an empty one. */
  readonly #known = new Map<string, JsonRecord>()
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
    // A list of messages is all of them from then on, without the tokens that were reported before.
    if (!Array.isArray(changes.messages)) return
    this.#messages = new Map()
    for (const message of asRecords(changes.messages)) {
      this.#message({ ...this.#known.get(asString(message.id) ?? ''), ...message })
    }
  }

  #message(record: JsonRecord): void {
    this.#messages.set(asString(record.id) ?? '', record)
    this.#known.set(asString(record.id) ?? '', record)
    this.#updatedAt = Math.max(this.#updatedAt, asTime(record.timestamp) ?? 0)
  }

  get messages(): SessionMessage[] {
    return [...this.#messages.values()].flatMap(readMessage)
  }

  session(filePath: string): Session {
    const sessionId = this.#id ?? basename(filePath, '.jsonl')
    const { messages } = this
    return sessionOf('gemini', sessionId, {
      title: sessionTitle(messages.find(({ role }) => role === 'user')?.content ?? this.#summary ?? ''),
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      cwd: projectRoot(filePath),
      messages,
      summary: this.#summary,
    })
  }
}

/** `<home>/tmp/<project>/chats/session-<time>-<first of the id>.jsonl`; of sub-agents `chats/<id>/<their id>.jsonl`. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, isProjectFolder),
  parentOf: (relativePath) => SUBAGENT_FILE.exec(relativePath)?.[1],
  log,
  read: readByLine(() => new SessionReader()),
}
