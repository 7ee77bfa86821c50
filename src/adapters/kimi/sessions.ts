import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { addUsage, emptyUsage } from '../../core/usage.ts'
import { readJson } from '../../files/read-json.ts'
import { filesByProject, forEachRecord, SessionTimes, sessionOf } from '../kit/session.ts'
import { profile } from './profile.ts'
import { beside, promptText, stateFileOf } from './session-lines.ts'
import { log } from './session-log.ts'
import { readCounts } from './turn-record.ts'

const SESSION_FILE = /^(wd_[^/]+)\/session_[^/]+\/agents\/main\/wire\.jsonl$/
const SUBAGENT_FILE = /^wd_[^/]+\/(session_[^/]+)\/agents\/(?!main\/)[^/]+\/wire\.jsonl$/

/** The name of a project's folder ends with the hash of its path. */
function isProjectFolder(folder: string, cwd: string): boolean {
  return folder.endsWith(createHash('sha256').update(cwd).digest('hex').slice(0, 12))
}

interface Reading {
  messages: SessionMessage[]
  /** The reply that is being put together from its parts. */
  reply: SessionMessage | undefined
  calls: Map<string, SessionToolCall>
  usage: TokenUsage | undefined
  model: string | undefined
  cwd: string | undefined
  times: SessionTimes
}

function readLine(reading: Reading, record: JsonRecord): void {
  const time = asNumber(record.time) ?? asNumber(record.created_at)
  reading.times.see(time)
  if (record.type === 'context.append_message') appendMessage(reading, asRecord(record.message) ?? {}, time)
  else if (record.type === 'context.append_loop_event') loopEvent(reading, asRecord(record.event) ?? {}, time)
  else if (record.type === 'llm.request') reading.model = asString(record.model) ?? reading.model
  else if (record.type === 'usage.record') {
    const part = readCounts(asRecord(record.usage) ?? {})
    reading.usage = addUsage(reading.usage ?? emptyUsage(), part)
  }
}

function appendMessage(reading: Reading, message: JsonRecord, timestamp: number | undefined): void {
  const text = promptText(message)
  if (text === null) return
  reading.reply = undefined
  reading.messages.push({ role: 'user', content: text, timestamp })
}

function loopEvent(reading: Reading, event: JsonRecord, timestamp: number | undefined): void {
  switch (event.type) {
    case 'step.begin':
      reading.reply = undefined
      break
    case 'content.part': {
      const part = asRecord(event.part) ?? {}
      const reply = replyOf(reading, timestamp)
      if (part.type === 'text') reply.content += textOf(part.text)
      else if (part.type === 'think') reply.thinking = `${reply.thinking ?? ''}${textOf(part.think)}`
      break
    }
    case 'tool.call': {
      const call = { toolCallId: textOf(event.toolCallId), toolName: textOf(event.name), input: event.args }
      const reply = replyOf(reading, timestamp)
      reply.toolCalls = [...(reply.toolCalls ?? []), call]
      reading.calls.set(call.toolCallId, call)
      reading.cwd ??= asString(asRecord(event.display)?.cwd)
      break
    }
    case 'tool.result': {
      const call = reading.calls.get(textOf(event.toolCallId))
      const result = asRecord(event.result) ?? {}
      if (call) Object.assign(call, { output: result.output, durationMs: asNumber(result.durationMs) })
      break
    }
    case 'step.end': {
      const usage = asRecord(event.usage)
      if (usage && reading.reply) reading.reply.tokenUsage = addUsage(emptyUsage(), readCounts(usage))
    }
  }
}

function replyOf(reading: Reading, timestamp: number | undefined): SessionMessage {
  if (!reading.reply) {
    reading.reply = { role: 'assistant', content: '', timestamp, model: reading.model }
    reading.messages.push(reading.reply)
  }
  return reading.reply
}

/** `<home>/sessions/wd_<name>_<hash of the directory>/<session id>/agents/main/wire.jsonl`; sub-agents lie beside. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, isProjectFolder),
  parentOf: (relativePath) => SUBAGENT_FILE.exec(relativePath)?.[1],
  log,
  beside,
  async read(lines, filePath): Promise<Session> {
    const reading: Reading = {
      ...{ messages: [], reply: undefined, calls: new Map(), usage: undefined, model: undefined, cwd: undefined },
      times: new SessionTimes(),
    }
    await forEachRecord(lines, (record) => readLine(reading, record))
    const { messages, usage, model, times } = reading
    const state = (await readJson(stateFileOf(filePath))) ?? {}
    return sessionOf('kimi', basename(dirname(dirname(dirname(filePath)))), {
      createdAt: times.createdAt,
      updatedAt: times.updatedAt,
      model: model === profile.endpointModel ? undefined : model,
      cwd: asString(state.cwd) ?? reading.cwd,
      forkedFrom: asString(state.forkedFrom),
      messages,
      tokenUsage: usage,
    })
  },
}
