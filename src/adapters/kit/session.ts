import type { AgentName } from '../../contract/names.ts'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { type JsonRecord, parseRecord } from '../../core/json.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'

/** For stores with a folder for each project: the first group of the pattern is that folder. */
export function filesByProject(
  file: RegExp,
  isFolderOf: (folder: string, cwd: string) => boolean,
): SessionFiles['isSession'] {
  return (relativePath, cwd) => {
    const folder = file.exec(relativePath)?.[1]
    return folder !== undefined && (cwd === undefined || isFolderOf(folder, cwd))
  }
}

/** When a conversation began, and when it was added to last, from the times of its records. */
export class SessionTimes {
  createdAt = 0
  updatedAt = 0

  see(time: number | undefined): void {
    if (time === undefined) return
    this.createdAt ||= time
    this.updatedAt = Math.max(this.updatedAt, time)
  }
}

type SessionParts = Pick<Session, 'createdAt' | 'updatedAt' | 'messages'> &
  Partial<Omit<Session, 'agent' | 'sessionId' | 'unifiedId'>>

/** A whole session. Its messages give title, turns, model and tokens, unless those are passed separately. `summary` is the agent's own. */
export function sessionOf(agent: AgentName, sessionId: string, parts: SessionParts): Session {
  const { messages } = parts
  const users = messages.filter(({ role }) => role === 'user')
  const session = {
    agent,
    sessionId,
    unifiedId: `${agent}:${sessionId}`,
    title: sessionTitle(users[0]?.content ?? ''),
    turnCount: users.length,
    model: messages.findLast(({ model }) => model !== undefined)?.model,
    tags: [],
    tokenUsage: usageOf(messages),
    ...parts,
  }
  return { ...session, ...summaryOf(session.title, sessionTitle(users[0]?.content ?? ''), parts.summary) }
}

/** What a conversation is called before it has a title: Droid's `New Session`, OpenCode's `Child session - <time>`. */
const PLACEHOLDER = /^(?:new|child|untitled) (?:session|chat|conversation|thread)(?: - [\dTZ:.-]+)?$/i

/** What an agent calls a conversation is nothing of its own when it only repeats the prompt. */
function summaryOf(title: string, prompt: string, own = ''): Pick<Session, 'summary' | 'summaryIsFallback'> {
  const summary = sessionTitle(own)
  const isOwn = summary !== '' && summary !== prompt && !PLACEHOLDER.test(summary)
  return { summary: isOwn ? summary : title, summaryIsFallback: !isOwn }
}

function usageOf(messages: readonly SessionMessage[]): TokenUsage | undefined {
  const counts = messages.flatMap(({ tokenUsage }) => tokenUsage ?? [])
  return counts.length === 0 ? undefined : counts.reduce(addUsage, emptyUsage())
}

/** For files of one record a line. What is none is passed over: the last line may be half written. */
export async function forEachRecord(
  lines: AsyncIterable<string>,
  visit: (record: JsonRecord) => void,
  isSkipped: (line: string) => boolean = () => false,
): Promise<void> {
  for await (const line of lines) {
    const record = isSkipped(line) ? null : parseRecord(line)
    if (record) visit(record)
  }
}

interface LineReader {
  line(record: JsonRecord): void
  session(filePath: string): Session
}

/** The `read` of a store whose files are one record a line, by a reader that is made again for each. */
export function readByLine(create: () => LineReader, isSkipped?: (line: string) => boolean): SessionFiles['read'] {
  return async (lines, filePath) => {
    const reader = create()
    await forEachRecord(lines, (record) => reader.line(record), isSkipped)
    return reader.session(filePath)
  }
}

/** For files that are one record. */
export async function wholeRecord(lines: AsyncIterable<string>): Promise<JsonRecord> {
  let text = ''
  for await (const line of lines) text += `${line}\n`
  return parseRecord(text) ?? {}
}
