import { basename, dirname } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import { asRecords, asString, type JsonRecord } from '../../core/json.ts'
import { treeLog } from '../families/pi/session-log.ts'
import { sessionOfRecords } from '../families/pi/session-tree.ts'
import { forEachRecord } from '../kit/session.ts'

/** The name of the folder is the id of the conversation in Base64. The default one of an agent has no words in it. */
const CONVERSATION = /^conversations[/\\](Y29udmVyc2F0aW9u[\w-]+)[/\\]messages\.jsonl$/

function idOf(filePath: string): string {
  return Buffer.from(basename(dirname(filePath)), 'base64url')
    .toString('utf8')
    .replace(/^conversation:/, '')
}

function isReminder({ text }: JsonRecord): boolean {
  return asString(text)?.startsWith('<system-reminder>') ?? false
}

/** An entry as Pi keeps one, since the messages are Pi's; here they follow each other. */
function entryOf(message: JsonRecord, index: number): JsonRecord {
  const content =
    message.role === 'user' ? asRecords(message.content).filter((block) => !isReminder(block)) : message.content
  // The other times are not of a clock: they count the messages.
  const timestamp = message.role === 'assistant' ? new Date(Number(message.timestamp) || 0).toISOString() : undefined
  return { id: String(index), parentId: String(index - 1), timestamp, message: { ...message, content } }
}

/** What the local backend keeps. Conversations of the Letta service are there and not here. */
export const sessions: SessionFiles = {
  isSession: (relativePath) => CONVERSATION.test(relativePath),
  log: treeLog({ idOf, entryOf }),
  async read(lines, filePath) {
    const entries: JsonRecord[] = []
    await forEachRecord(lines, (message) => entries.push(entryOf(message, entries.length)))
    return sessionOfRecords('letta', entries, idOf(filePath))
  },
}
