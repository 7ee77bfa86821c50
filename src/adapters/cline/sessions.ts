import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { grossCounts, withTotal } from '../../core/usage.ts'
import { readJson } from '../../files/read-json.ts'
import { sessionOf, wholeRecord } from '../kit/session.ts'

const SESSION_FILE = /^([^/]+)\/\1\.messages\.json$/
const TYPED = /<user_input[^>]*>([\s\S]*?)<\/user_input>/

function readUsage(native: unknown): TokenUsage | undefined {
  const counts = asRecord(native)
  if (!counts) return undefined
  const { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens } = counts
  return withTotal(grossCounts({ input, output, cacheRead, cacheCreation: cacheWriteTokens }))
}

/** What the CLI shows of a failed request is not an answer (3.0). */
const isError = ({ metadata }: JsonRecord) => asRecord(metadata)?.displayRole === 'error'

function readMessage(native: JsonRecord, calls: Map<string, SessionToolCall>): SessionMessage | null {
  const blocks = asRecords(native.content)
  const text = (type: string) =>
    blocks
      .filter((block) => block.type === type)
      .map((block) => textOf(block[type]))
      .join('\n')
  for (const block of blocks) {
    const call = block.type === 'tool_result' ? calls.get(textOf(block.tool_use_id)) : undefined
    if (call) call.output = block.content
  }
  const timestamp = asNumber(native.ts)
  if (native.role !== 'assistant') {
    const content = TYPED.exec(text('text'))?.[1] ?? text('text')
    return content === '' ? null : { role: 'user', content, timestamp }
  }
  if (isError(native)) return { role: 'system', content: text('text'), timestamp }
  const toolCalls = blocks
    .filter((block) => block.type === 'tool_use')
    .map(({ id, name, input }) => ({ toolCallId: textOf(id), toolName: textOf(name), input }))
  for (const call of toolCalls) calls.set(call.toolCallId, call)
  return {
    role: 'assistant',
    content: text('text'),
    timestamp,
    thinking: text('thinking') || undefined,
    model: asString(asRecord(native.modelInfo)?.id),
    tokenUsage: readUsage(native.metrics),
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
  }
}

/** `<data>/sessions/<id>/<id>.messages.json`, and `<id>.json` beside it. */
export const sessions: SessionFiles = {
  isSession: (relativePath) => SESSION_FILE.test(relativePath),
  async read(lines, filePath) {
    const file = await wholeRecord(lines)
    const about = (await readJson(filePath.replace(/\.messages\.json$/, '.json'))) ?? {}
    const calls = new Map<string, SessionToolCall>()
    const messages = asRecords(file.messages).flatMap((native) => readMessage(native, calls) ?? [])
    const sessionId = asString(file.sessionId) ?? basename(filePath, '.messages.json')
    const { aggregateUsage, usage } = asRecord(about.metadata) ?? {}
    return sessionOf('cline', sessionId, {
      createdAt: asTime(about.started_at) ?? messages[0]?.timestamp ?? 0,
      updatedAt: asTime(file.updated_at) ?? 0,
      messages,
      model: asString(about.model),
      tokenUsage: readUsage(aggregateUsage ?? usage),
      cwd: asString(about.cwd),
    })
  },
}
