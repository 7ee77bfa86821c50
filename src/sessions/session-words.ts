import type { Session, SessionMessage } from '../contract/sessions.ts'
import { isRecord } from '../core/json.ts'
import { redactStart } from '../secrets/redact.ts'

/** What tools were given and gave back can be very long, and what is looked for is at its beginning. */
const TOOL_LIMIT = 4000

/** All that was said in a conversation, one text for each message. */
export function wordsOf({ messages }: Session): string[] {
  return messages.map(messageWords)
}

function messageWords({ content, thinking, toolCalls = [], toolResult }: SessionMessage): string {
  const calls = toolCalls.flatMap(({ toolName, input, output }) => [toolName, cut(input), cut(output)])
  return [content, thinking ?? '', ...calls, cut(toolResult?.output)].filter((text) => text !== '').join('\n')
}

function cut(value: unknown): string {
  const text = strings(value).join('\n')
  return text.length > TOOL_LIMIT ? redactStart(text, TOOL_LIMIT) : text
}

/** The texts in a value, without the names of its members. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(strings)
  return isRecord(value) ? Object.values(value).flatMap(strings) : []
}
