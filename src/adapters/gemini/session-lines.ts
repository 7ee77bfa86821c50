import { dirname, join } from 'node:path'
import type { SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { grossCounts, withTotal } from '../../core/usage.ts'
import { textIfThere } from '../../files/run-lookups.ts'

/** What the CLI itself writes in the user's name. */
const CONTEXT = /^\s*<(session_context|hook_context)>/

/** Not in the file itself. */
export function projectRoot(filePath: string): string | undefined {
  return textIfThere(join(dirname(dirname(filePath)), '.project_root'))?.trim() || undefined
}

/** Neither what the CLI sends the model nor the results of tools, which are with their calls as well. */
export function readMessage(record: JsonRecord): SessionMessage[] {
  const content = textOf(record.content)
  const timestamp = asTime(record.timestamp)
  if (record.type === 'user')
    return content === '' || CONTEXT.test(content) ? [] : [{ role: 'user', content, timestamp }]
  if (record.type !== 'gemini') return []
  const message: SessionMessage = { role: 'assistant', content, timestamp, model: asString(record.model) }
  const thoughts = asRecords(record.thoughts).map(readThought)
  const tokens = asRecord(record.tokens)
  const calls = asRecords(record.toolCalls).map(readCall)
  if (thoughts.length > 0) message.thinking = thoughts.join('\n\n')
  if (tokens) message.tokenUsage = readUsage(tokens)
  if (calls.length > 0) message.toolCalls = calls
  return [message]
}

function readThought({ subject, description }: JsonRecord): string {
  const title = textOf(subject)
  return title === '' ? textOf(description) : `**${title}**\n${textOf(description)}`
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

export function readUsage({ input, output, thoughts, cached }: JsonRecord): TokenUsage {
  const counts = grossCounts({ input, output, thinking: thoughts, cacheRead: cached })
  return withTotal({ ...counts, outputTokens: counts.outputTokens + counts.thinkingTokens })
}
