import { basename, join } from 'node:path'
import type { SessionMessage } from '../../contract/sessions.ts'
import {
  asArray,
  asNumber,
  asRecord,
  asRecords,
  asString,
  type JsonRecord,
  parseRecord,
  textOf,
} from '../../core/json.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'
import type { SessionStore } from '../built-in.ts'

const SESSION_FILE = /^[0-9a-f-]{36}\.json$/

function readItem(item: JsonRecord): SessionMessage | null {
  const { role, content, toolCalls } = asRecord(item.message) ?? {}
  if (role !== 'user' && role !== 'assistant') return null
  const states = asRecords(item.toolCallStates)
  const calls = asRecords(toolCalls).map((call) => {
    const { name, arguments: input } = asRecord(call.function) ?? {}
    const state = states.find(({ toolCallId }) => toolCallId === call.id)
    return {
      toolCallId: textOf(call.id),
      toolName: textOf(name),
      input: parseRecord(textOf(input)) ?? input,
      output: state ? textOf(asArray(state.output).map((part) => textOf(asRecord(part)?.content))) : undefined,
    }
  })
  return { role, content: textOf(content), toolCalls: calls.length > 0 ? calls : undefined }
}

/** `<home>/sessions/<id>.json`; `sessions.json` beside them is their list. */
export const sessions: SessionStore = {
  directory: ({ env, homeDir }) => join(env.CONTINUE_GLOBAL_DIR || join(homeDir, '.continue'), 'sessions'),
  isSession: (relativePath) => SESSION_FILE.test(relativePath),
  async read(lines, filePath) {
    let text = ''
    for await (const line of lines) text += `${line}\n`
    const file = parseRecord(text) ?? {}
    const messages = asRecords(file.history).flatMap((item) => readItem(item) ?? [])
    const sessionId = asString(file.sessionId) ?? basename(filePath, '.json')
    const createdAt = Number(file.dateCreated) || Date.parse(textOf(file.dateCreated)) || 0
    const usage = asRecord(file.usage)
    return {
      agent: 'continue',
      sessionId,
      unifiedId: `continue:${sessionId}`,
      title: sessionTitle(messages.find(({ role }) => role === 'user')?.content ?? ''),
      createdAt,
      updatedAt: createdAt,
      turnCount: messages.filter(({ role }) => role === 'user').length,
      messages,
      tokenUsage: usage && addUsage(emptyUsage(), counts(usage)),
      cwd: asString(file.workspaceDirectory),
      tags: [],
    }
  },
}

function counts(native: JsonRecord): { inputTokens: number; outputTokens: number; cacheReadTokens: number } {
  return {
    inputTokens: asNumber(native.promptTokens) ?? 0,
    outputTokens: asNumber(native.completionTokens) ?? 0,
    cacheReadTokens: asNumber(asRecord(native.promptTokensDetails)?.cachedTokens) ?? 0,
  }
}
