import { basename } from 'node:path'
import type { UsageRow } from '../../contract/session-store.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { emptyFacts, type LogState, lineRecord, seenAt, sessionLog, usageRow } from '../../core/session-log.ts'
import { sessionTitle } from '../../core/session-title.ts'
import type { UsageCounts } from '../../core/usage.ts'
import { countsSince } from '../../core/usage.ts'
import { MemberCursor } from '../kit/json-bytes.ts'
import { userText } from './session-lines.ts'
import { newCounts, readCounts } from './usage.ts'

interface State extends LogState {
  hasMeta: boolean
  tasks: number
  prompts: number
  /** Whether the last message is the agent's own, to which its next calls belong. */
  inReply: boolean
  /** Files of older versions have no records of single requests, but the total of the thread. */
  hasRecords: boolean
  total: UsageCounts | null
}

const name = (text: string) => Buffer.from(text)
const KEY = { timestamp: name('timestamp'), type: name('type'), payload: name('payload') }

const ID_IN_NAME = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/

const CALLS = ['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call', 'tool_search_call']

const top = new MemberCursor()
const inner = new MemberCursor()

/** A line begins with its time and kind, and what it holds begins with its kind: most need no further look. */
function readLine(state: State, bytes: Buffer, start: number, end: number, add: (row: UsageRow) => void): void {
  let at: number | undefined
  let type = ''
  if (!top.open(bytes, start, end)) return
  while (top.next()) {
    if (top.isKey(KEY.timestamp)) at = top.time()
    else if (top.isKey(KEY.type)) type = top.text() ?? ''
    else if (top.isKey(KEY.payload)) break
  }
  // A line that was cut off is left out, wherever it was cut.
  if (bytes[end - 1] !== 0x7d) return
  seenAt(state.facts, at)
  const parse = (): JsonRecord => asRecord(lineRecord(bytes, start, end)?.payload) ?? {}
  switch (type) {
    case 'session_meta':
      if (!state.hasMeta) readMeta(state, parse())
      break
    case 'turn_context':
      state.facts.model = asString(parse().model) ?? state.facts.model
      break
    case 'token_usage_record':
      readRequest(state, parse(), at ?? state.facts.updatedAt, add)
      break
    case 'event_msg':
      readEvent(state, kindOf(), parse, at ?? state.facts.updatedAt, add)
      break
    case 'response_item':
      readItem(state, kindOf(), parse)
  }
}

/** The type of the payload, on which the outer cursor is. */
function kindOf(): string {
  if (!top.enter(inner)) return ''
  while (inner.next()) if (inner.isKey(KEY.type)) return inner.text() ?? ''
  return ''
}

/** Files of older forks repeat the record of their origin, so the first one counts. */
function readMeta(state: State, payload: JsonRecord): void {
  const { facts } = state
  state.hasMeta = true
  facts.sessionId = asString(payload.id) ?? facts.sessionId
  facts.cwd = asString(payload.cwd)
  facts.forkedFrom = asString(payload.forked_from_id)
  facts.parentId = parentOf(payload, facts.sessionId)
}

/** A thread of a sub-agent is of the session of its root, or names the thread that has made it. */
function parentOf(payload: JsonRecord, threadId: string): string | undefined {
  const root = asString(payload.session_id)
  if (root !== undefined && root !== threadId) return root
  const spawned = asRecord(asRecord(asRecord(payload.source)?.subagent)?.thread_spawn)
  return asString(spawned?.parent_thread_id)
}

function readRequest(state: State, payload: JsonRecord, at: number, add: (row: UsageRow) => void): void {
  state.hasRecords = true
  const counts = readCounts(asRecord(payload.usage) ?? {})
  const key = asString(payload.response_id) ?? `${state.facts.sessionId}@${at}`
  add(usageRow(key, at, state.facts.model, counts))
}

function readEvent(
  state: State,
  kind: string,
  parse: () => JsonRecord,
  at: number,
  add: (row: UsageRow) => void,
): void {
  if (kind === 'task_started') {
    state.tasks += 1
    state.facts.turnCount = state.tasks
  }
  if (kind !== 'token_count' || state.hasRecords) return
  const info = asRecord(parse().info)
  const total = asRecord(info?.total_token_usage)
  if (!info || !total) return
  const now = readCounts(total)
  const last = readCounts(asRecord(info.last_token_usage) ?? {})
  // A fork's total begins where its origin was.
  const before = state.total ?? (state.facts.forkedFrom === undefined ? null : countsSince(now, last))
  const added = before ? newCounts(now, before, last) : now
  state.total = now
  const key = `${state.facts.sessionId}@${now.inputTokens}+${now.outputTokens}`
  if (added.inputTokens + added.outputTokens > 0) add(usageRow(key, at, state.facts.model, added))
}

function readItem(state: State, kind: string, parse: () => JsonRecord): void {
  const { facts } = state
  if (CALLS.includes(kind)) {
    if (!state.inReply) facts.messageCount += 1
    state.inReply = true
  } else if (kind === 'message') {
    const payload = parse()
    if (payload.role === 'assistant') {
      facts.messageCount += 1
      state.inReply = true
    } else if (payload.role === 'user') {
      const content = userText(payload)
      if (content === '') return
      facts.title ||= sessionTitle(content)
      facts.messageCount += 1
      state.inReply = false
      state.prompts += 1
      // Old files do not report turns.
      if (state.tasks === 0) facts.turnCount = state.prompts
    }
  }
}

function start(filePath: string): State {
  const sessionId = ID_IN_NAME.exec(filePath)?.[1] ?? basename(filePath, '.jsonl')
  const facts = emptyFacts(sessionId)
  return { facts, hasMeta: false, tasks: 0, prompts: 0, inReply: false, hasRecords: false, total: null }
}

export const log = sessionLog<State>({ version: 1, start, line: readLine })
