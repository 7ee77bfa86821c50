import { AgentMuxError } from '../../contract/errors.ts'
import { asRecord, isRecord, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'

/** Messages for the stdin of a CLI that takes one a line. */
export function messageLines(messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('')
}

/** The records in the output of a CLI that prints one a line, perhaps with other things between them. */
export function recordsOf(stdout: string): JsonRecord[] {
  return stdout.split('\n').map(parseRecord).filter(isRecord)
}

/** Messages for a CLI that wants the length of each before it, as language servers do. */
export function framedMessages(messages: readonly object[]): string {
  return messages
    .map((message) => JSON.stringify(message))
    .map((text) => `Content-Length: ${new TextEncoder().encode(text).length}\r\n\r\n${text}`)
    .join('')
}

/** The records of such a CLI. JSON has no line breaks of its own, so that no header can be inside a message. */
export function framedRecords(stdout: string): JsonRecord[] {
  return stdout
    .split(/Content-Length: \d+\r\n\r\n/)
    .map(parseRecord)
    .filter(isRecord)
}

/**
 * The result of a JSON-RPC request. Null: not there yet. What is refused for want of a login is an empty result; any
 * other error is thrown, as of a CLI that has changed.
 */
export function resultOf(records: readonly JsonRecord[], id: number): JsonRecord | null {
  const answer = records.find((record) => record.id === id && ('result' in record || 'error' in record))
  if (!answer) return null
  if (answer.error === undefined) return asRecord(answer.result) ?? {}
  const message = textOf(asRecord(answer.error)?.message)
  if (/authenticat/i.test(message)) return {}
  throw new AgentMuxError('PARSE_ERROR', `The CLI refused our question: ${message}`)
}
