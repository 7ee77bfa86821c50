import { basename } from 'node:path'
import type { AgentName } from '../../../contract/names.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../../contract/sessions.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../../core/json.ts'
import { addUsage, emptyUsage, roundUsd } from '../../../core/usage.ts'
import { forEachRecord, sessionOf } from '../../kit/session.ts'
import { readCost, readCounts } from './usage.ts'

const FILE_NAME = /^[^_]+_(.+)\.jsonl$/

/** A parent is named by its file in Pi, and by its id in omp. */
export function sessionIdOf(parent: string): string {
  return FILE_NAME.exec(basename(parent.replaceAll('\\', '/')))?.[1] ?? parent
}

/** From the root to the newest entry: what the agent itself would go on with. */
function newestBranch(entries: readonly JsonRecord[]): JsonRecord[] {
  const byId = new Map(entries.map((entry) => [asString(entry.id) ?? '', entry]))
  const branch: JsonRecord[] = []
  for (let entry = entries.at(-1); entry; entry = byId.get(asString(entry.parentId) ?? '')) {
    branch.push(entry)
    // An entry is visited once, so that a file with a ring in it ends, too.
    byId.delete(asString(entry.id) ?? '')
  }
  return branch.reverse()
}

const textBlocks = (content: unknown): string =>
  typeof content === 'string' ? content : textOf(asRecords(content).filter(({ type }) => type === 'text'))

function assistantMessage(native: JsonRecord, timestamp: number | undefined): SessionMessage {
  const blocks = asRecords(native.content)
  const thinking = blocks.flatMap((block) => (block.type === 'thinking' ? [textOf(block.thinking)] : []))
  const toolCalls = blocks
    .filter(({ type }) => type === 'toolCall')
    .map(
      (block): SessionToolCall => ({
        toolCallId: asString(block.id) ?? '',
        toolName: asString(block.name) ?? '',
        input: block.arguments,
      }),
    )
  const usage = asRecord(native.usage)
  return {
    role: 'assistant',
    content: textBlocks(native.content),
    timestamp,
    thinking: thinking.length > 0 ? thinking.join('\n') : undefined,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    model: asString(native.model),
    tokenUsage: usage && addUsage(emptyUsage(), readCounts(usage)),
  }
}

/** What an entry says. Prompts of the CLI itself are left out; a summary is a system message. */
export function messageOf(entry: JsonRecord): SessionMessage | null {
  const timestamp = asTime(entry.timestamp)
  const summary = asString(entry.summary)
  const native = asRecord(entry.message)
  if (summary !== undefined) return { role: 'system', content: summary, timestamp }
  if (native?.role === 'user') return { role: 'user', content: textBlocks(native.content), timestamp }
  if (native?.role !== 'assistant') return null
  const message = assistantMessage(native, timestamp)
  // A reply that failed holds nothing.
  return message.content || message.thinking || message.toolCalls ? message : null
}

/** The conversation along one branch. */
function messagesOf(branch: readonly JsonRecord[]): SessionMessage[] {
  const messages: SessionMessage[] = []
  const calls = new Map<string, SessionToolCall>()
  for (const entry of branch) {
    const message = messageOf(entry)
    if (message) messages.push(message)
    for (const call of message?.toolCalls ?? []) calls.set(call.toolCallId, call)
    const native = asRecord(entry.message)
    const answered = native?.role === 'toolResult' ? calls.get(asString(native.toolCallId) ?? '') : undefined
    if (answered) answered.output = textBlocks(native?.content)
  }
  return messages
}

export function usageOf(entry: JsonRecord): JsonRecord[] {
  const usage = asRecord(asRecord(entry.message)?.usage) ?? asRecord(entry.usage)
  return usage ? [usage] : []
}

/** Reads one session file: a tree of entries, of which one branch is returned and all are kept in `raw`. */
export async function readSessionTree(
  agent: AgentName,
  lines: AsyncIterable<string>,
  filePath: string,
): Promise<Session> {
  const records: JsonRecord[] = []
  await forEachRecord(lines, (record) => records.push(record))
  return sessionOfRecords(agent, records, sessionIdOf(filePath))
}

/** The same from records wherever they are kept; `knownId` is that of a session without a header. */
export function sessionOfRecords(agent: AgentName, records: readonly JsonRecord[], knownId: string): Session {
  const header = records.find(({ type }) => type === 'session')
  const entries = records.filter(({ type, id }) => type !== 'session' && asString(id) !== undefined)
  const times = entries.flatMap(({ timestamp }) => asTime(timestamp) ?? [])
  const branch = newestBranch(entries)
  const messages = messagesOf(branch)
  const usages = branch.flatMap(usageOf)
  const tokenUsage = usages.map(readCounts).reduce(addUsage, emptyUsage())
  const totalUsd = roundUsd(usages.reduce((sum, usage) => sum + (readCost(usage) ?? 0), 0))
  const { totalTokens: _, ...counts } = tokenUsage
  const sessionId = asString(header?.id) ?? knownId
  const parent = asString(header?.parentSession)
  const createdAt = asTime(header?.timestamp) ?? times[0] ?? 0
  return sessionOf(agent, sessionId, {
    createdAt,
    updatedAt: times.at(-1) ?? createdAt,
    cost: totalUsd > 0 ? { totalUsd, ...counts, source: 'agent' } : undefined,
    cwd: asString(header?.cwd),
    forkedFrom: parent === undefined ? undefined : sessionIdOf(parent),
    messages,
    tokenUsage: usages.length > 0 ? tokenUsage : undefined,
    raw: { header, entries },
  })
}
