import type { AgentName } from '../../../contract/names.ts'
import type { Rows } from '../../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../../contract/sessions.ts'
import type { TokenUsage } from '../../../contract/usage.ts'
import { asNumber, asRecord, asString, type JsonRecord, parseRecord } from '../../../core/json.ts'
import { sessionTitle } from '../../../core/session-title.ts'
import { addUsage, emptyUsage } from '../../../core/usage.ts'
import { sessionOf } from '../../kit/session.ts'
import { costRecord, readTokens } from './usage.ts'

/** Rows of the tables `session`, `message` and `part`, the latter two in the order of their ids. */
export interface SessionRows {
  session: JsonRecord
  messages: readonly JsonRecord[]
  parts: readonly JsonRecord[]
}

export function dataOf(row: JsonRecord): JsonRecord {
  return parseRecord(asString(row.data) ?? '') ?? {}
}

function joinLines(before: string | undefined, text: string): string {
  return before ? `${before}\n${text}` : text
}

function toolCall(part: JsonRecord): SessionToolCall {
  const state = asRecord(part.state) ?? {}
  const time = asRecord(state.time) ?? {}
  const [start, end] = [asNumber(time.start), asNumber(time.end)]
  return {
    toolCallId: asString(part.callID) ?? '',
    toolName: asString(part.tool) ?? '',
    input: state.input,
    output: state.output ?? state.error,
    durationMs: start === undefined || end === undefined ? undefined : end - start,
  }
}

/** A part that the agent has added by itself to what the user said counts as nobody's words. */
export function addPart(message: SessionMessage, part: JsonRecord): void {
  const text = asString(part.text) ?? ''
  if (part.type === 'text' && part.synthetic !== true) message.content = joinLines(message.content, text)
  else if (part.type === 'reasoning') message.thinking = joinLines(message.thinking, text)
  else if (part.type === 'tool') message.toolCalls = [...(message.toolCalls ?? []), toolCall(part)]
}

export function modelOf(provider: unknown, model: unknown): string | undefined {
  return typeof provider === 'string' && typeof model === 'string' ? `${provider}/${model}` : undefined
}

export function readMessage(row: JsonRecord): SessionMessage {
  const data = dataOf(row)
  const tokens = asRecord(data.tokens)
  const message: SessionMessage = {
    role: data.role === 'assistant' ? 'assistant' : 'user',
    content: '',
    timestamp: asNumber(row.time_created),
    model: modelOf(data.providerID, data.modelID),
  }
  if (tokens) {
    message.tokenUsage = addUsage(emptyUsage(), readTokens(tokens))
    message.cost = costRecord({ tokens: message.tokenUsage, costUsd: asNumber(data.cost) ?? 0 })
  }
  return message
}

/** The sums that the agent itself keeps: in a fork they count the copied messages as well. */
function sessionUsage(session: JsonRecord): TokenUsage {
  const cache = { read: session.tokens_cache_read, write: session.tokens_cache_write }
  const tokens = { input: session.tokens_input, output: session.tokens_output, reasoning: session.tokens_reasoning }
  return addUsage(emptyUsage(), readTokens({ ...tokens, cache }))
}

/** A fork keeps no trace of what it was made from, but for the name that it gets. */
const FORKED = /\(fork #\d+\)$/

/** One conversation, from what the database of the agent holds of it. */
export function readSession(agent: AgentName, { session, messages, parts }: SessionRows): Session {
  const sessionId = asString(session.id) ?? ''
  const byId = new Map(messages.map((row) => [asString(row.id) ?? '', readMessage(row)]))
  for (const row of parts) {
    const message = byId.get(asString(row.message_id) ?? '')
    if (message) addPart(message, dataOf(row))
  }
  const list = [...byId.values()]
  const said = list.filter(({ role, content }) => role === 'user' && content !== '')
  const tokens = sessionUsage(session)
  const model = parseRecord(asString(session.model) ?? '') ?? {}
  const nativeTitle = asString(session.title) ?? ''
  return sessionOf(agent, sessionId, {
    title: sessionTitle(said[0]?.content ?? nativeTitle),
    createdAt: asNumber(session.time_created) ?? 0,
    updatedAt: asNumber(session.time_updated) ?? 0,
    turnCount: said.length,
    model: modelOf(model.providerID, model.id) ?? list.findLast((one) => one.model !== undefined)?.model,
    cost: costRecord({ tokens, costUsd: asNumber(session.cost) ?? 0 }),
    tags: FORKED.test(nativeTitle) ? ['fork'] : [],
    cwd: asString(session.directory),
    messages: list,
    summary: nativeTitle,
    tokenUsage: tokens,
  })
}

/** Conversations of sub-agents have a parent, and are not listed. */
export function sessionIds(database: Rows, cwd?: string): string[] {
  const own = 'SELECT id FROM session WHERE parent_id IS NULL'
  const rows =
    cwd === undefined
      ? database.all(`${own} ORDER BY time_updated`)
      : database.all(`${own} AND directory = ? ORDER BY time_updated`, cwd)
  return rows.flatMap(({ id }) => asString(id) ?? [])
}

export function findSession(agent: AgentName, database: Rows, sessionId: string): Session | null {
  const [session] = database.all('SELECT * FROM session WHERE id = ?', sessionId)
  if (!session) return null
  const messages = database.all('SELECT * FROM message WHERE session_id = ? ORDER BY id', sessionId)
  const parts = database.all('SELECT * FROM part WHERE session_id = ? ORDER BY id', sessionId)
  return readSession(agent, { session, messages, parts })
}
