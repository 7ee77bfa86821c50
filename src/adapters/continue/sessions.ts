import { basename, dirname, join } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { SessionMessage } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { grossCounts, withTotal } from '../../core/usage.ts'
import { readJsonList } from '../../files/read-json.ts'
import { sessionOf, wholeRecord } from '../kit/session.ts'

const SESSION_FILE = /^[0-9a-f-]{36}\.json$/

function readItem(item: JsonRecord): SessionMessage | null {
  const { role, content, toolCalls, usage } = asRecord(item.message) ?? {}
  if (role !== 'user' && role !== 'assistant') return null
  const states = asRecords(item.toolCallStates)
  const calls = asRecords(toolCalls).map((call) => {
    const { name, arguments: input } = asRecord(call.function) ?? {}
    const state = states.find(({ toolCallId }) => toolCallId === call.id)
    const output = asRecords(state?.output).map((part) => textOf(part.content))
    return {
      toolCallId: textOf(call.id),
      toolName: textOf(name),
      input: parseRecord(textOf(input)) ?? input,
      output: state && output.join('\n'),
    }
  })
  return {
    role,
    content: textOf(content),
    model: asString(asRecord(usage)?.model),
    tokenUsage: readUsage(usage),
    toolCalls: calls.length > 0 ? calls : undefined,
  }
}

/** Here input counts the cache, too. The sums of the file leave out what was read from it. */
function readUsage(native: unknown): TokenUsage | undefined {
  const counts = asRecord(native)
  if (!counts) return undefined
  const { cached_tokens: cacheRead, cache_write_tokens: cacheCreation } = asRecord(counts.prompt_tokens_details) ?? {}
  const thinking = asRecord(counts.completion_tokens_details)?.reasoning_tokens
  const { prompt_tokens: input, completion_tokens: output } = counts
  return withTotal(grossCounts({ input, output, thinking, cacheRead, cacheCreation }))
}

/** A fork begins with the messages of its origin: only the sum in the file reports which requests are its own. */
function withoutCopiedCounts(messages: readonly SessionMessage[], sum: JsonRecord | undefined): SessionMessage[] {
  let input = asNumber(sum?.promptTokens) ?? Number.POSITIVE_INFINITY
  let output = asNumber(sum?.completionTokens) ?? Number.POSITIVE_INFINITY
  const newestFirst = messages.toReversed().map(({ tokenUsage, ...message }) => {
    input -= tokenUsage?.inputTokens ?? 0
    output -= tokenUsage?.outputTokens ?? 0
    return input < 0 || output < 0 ? message : { ...message, tokenUsage }
  })
  return newestFirst.reverse()
}

/** `<home>/sessions/<id>.json`; their list beside them reports when each began. */
export const sessions: SessionFiles = {
  isSession: (relativePath) => SESSION_FILE.test(relativePath),
  async read(lines, filePath) {
    const file = await wholeRecord(lines)
    const history = asRecords(file.history).flatMap((item) => readItem(item) ?? [])
    const messages = withoutCopiedCounts(history, asRecord(file.usage))
    const sessionId = asString(file.sessionId) ?? basename(filePath, '.json')
    const listed = await readJsonList(join(dirname(filePath), 'sessions.json'))
    const createdAt = Number(listed.find((entry) => entry.sessionId === sessionId)?.dateCreated) || 0
    const cwd = asString(file.workspaceDirectory)
    return sessionOf('continue', sessionId, { createdAt, updatedAt: createdAt, cwd, messages })
  },
}
