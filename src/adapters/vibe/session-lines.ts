import type { SessionMessage } from '../../contract/sessions.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'

/** What the store knows of one conversation: its entries in their order, and what is said of the whole. */
export interface Projection {
  entries: Map<string, JsonRecord>
  session: JsonRecord
}

function put({ entries }: Projection, entry: JsonRecord | undefined): void {
  const id = asString(entry?.id)
  if (entry && id !== undefined) entries.set(id, entry)
}

/** A whole state: that of a snapshot, or an envelope without the entries that are known already. */
export function applyState(projection: Projection, state: unknown): void {
  const { session, history } = asRecord(state) ?? {}
  projection.session = asRecord(session) ?? projection.session
  applyEntries(projection, asRecord(history)?.entries)
}

export function applyEntries(projection: Projection, entries: unknown): void {
  for (const entry of asRecords(entries)) put(projection, entry)
}

/** A record of the journal. Only changes of what is shown matter here. */
export function applyRecord(projection: Projection, { type, payload }: JsonRecord): void {
  if (type !== 'projection_delta') return
  for (const change of asRecords(asRecord(payload)?.delta)) {
    if (change.op === 'set_envelope') applyState(projection, change.state)
    else put(projection, asRecord(change.entry))
  }
}

const textIn = (content: unknown) =>
  asRecords(content)
    .flatMap(({ type, text }) => (type === 'text' ? textOf(text) : []))
    .join('\n\n')

/** What a tool has returned: text, what the program shows of it, or a record in which a command has `stdout`. */
function outputOf(state: JsonRecord): unknown {
  const output = asRecord(state.output)
  const structured = asRecord(output?.structured_content)
  return textIn(output?.content) || asString(state.outputText) || structured?.stdout || structured
}

/** What the model said, thought and did until it was answered is one message. */
export function messagesOf({ entries }: Projection, model: string | undefined): SessionMessage[] {
  const messages: SessionMessage[] = []
  let reply: SessionMessage | undefined
  /** Thoughts alone are the beginning of a reply, not a whole one. */
  const beginReply = () => {
    if (reply && (reply.content !== '' || reply.toolCalls)) reply = undefined
  }
  const replyAt = (timestamp: number | undefined): SessionMessage => {
    if (!reply) {
      reply = { role: 'assistant', content: '', timestamp, model }
      messages.push(reply)
    }
    return reply
  }
  for (const entry of entries.values()) {
    const timestamp = asNumber(entry.createdAt)
    if (asRecord(entry.outcome)?.type === 'discarded') continue
    if (entry.type === 'message' && entry.role === 'assistant') {
      beginReply()
      replyAt(timestamp).content = textIn(entry.content)
    } else if (entry.type === 'message') {
      reply = undefined
      messages.push({ role: entry.role === 'user' ? 'user' : 'system', content: textIn(entry.content), timestamp })
    } else if (entry.type === 'reasoning') {
      beginReply()
      replyAt(timestamp).thinking = textOf(entry.text)
    } else if (entry.type === 'effect') {
      const { toolName, input } = asRecord(entry.detail) ?? {}
      const call = { toolCallId: textOf(entry.id), toolName: textOf(toolName), input }
      const current = replyAt(timestamp)
      current.toolCalls = [...(current.toolCalls ?? []), { ...call, output: outputOf(asRecord(entry.state) ?? {}) }]
    }
  }
  return messages
}
