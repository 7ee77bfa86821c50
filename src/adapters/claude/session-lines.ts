import { asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'

/** What the CLI itself writes in the user's name. */
const COMMAND_TEXT = /^<(command-|local-command|bash-|system-reminder)/

/** The words of a line of type `user`; null when it only brings results of tools, or something the CLI has written. */
export function userWords(record: JsonRecord): { role: 'user' | 'system'; content: string } | null {
  const message = asRecord(record.message)
  if (!message) return null
  const texts = asRecords(message.content).flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []))
  const content = asString(message.content) ?? texts.join('\n')
  if (content === '' || COMMAND_TEXT.test(content)) return null
  return { role: record.isCompactSummary === true ? 'system' : 'user', content }
}
