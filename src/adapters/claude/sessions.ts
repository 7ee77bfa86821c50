import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import type { CostRecord, TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asRecords, asString, asTime, type JsonRecord, textOf } from '../../core/json.ts'
import { addUsage, emptyUsage, netCounts, withTotal } from '../../core/usage.ts'
import { costRecord, readModelCounts } from '../families/claude-stream/usage.ts'
import { filesByProject, readByLine, SessionTimes, sessionOf } from '../kit/session.ts'
import { userWords } from './session-lines.ts'
import { log } from './session-log.ts'

const SESSION_FILE = /^([^/]+)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/

const SUBAGENT_FILE = /^[^/]+\/([0-9a-f-]{36})\/subagents\/(?:.*\/)?agent-[^/]+\.jsonl$/

const SLUG_LIMIT = 200

/** The folder of a project: its path with every other character than letters and digits as a dash; cut and hashed when long. */
function isProjectFolder(folder: string, cwd: string): boolean {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, '-')
  return slug.length <= SLUG_LIMIT ? folder === slug : folder.startsWith(`${slug.slice(0, SLUG_LIMIT)}-`)
}

/** Whole prompts as sent to the API: most of the file, and nothing in them that the other lines lack. */
const API_LINE = '{"type":"api-request'

class SessionReader {
  readonly #messages: SessionMessage[] = []
  readonly #byMessageId = new Map<string, SessionMessage>()
  readonly #calls = new Map<string, SessionToolCall>()
  readonly #times = new SessionTimes()
  #cwd: string | undefined
  #costState: JsonRecord | undefined
  #aiTitle: string | undefined
  #customTitle: string | undefined

  line(record: JsonRecord): void {
    if (record.isSidechain === true || record.isMeta === true) return
    const timestamp = asTime(record.timestamp)
    this.#times.see(timestamp)
    this.#cwd ??= asString(record.cwd)
    const message = asRecord(record.message)
    if (record.type === 'cost-state') this.#costState = record
    else if (record.type === 'ai-title') this.#aiTitle = asString(record.aiTitle)
    else if (record.type === 'custom-title') this.#customTitle = asString(record.customTitle)
    else if (record.type === 'user' && message) this.#user(record, message, timestamp)
    else if (record.type === 'assistant' && message) this.#assistant(message, timestamp)
  }

  #user(record: JsonRecord, message: JsonRecord, timestamp: number | undefined): void {
    const blocks = asRecords(message.content)
    for (const block of blocks) {
      const call = block.type === 'tool_result' ? this.#calls.get(asString(block.tool_use_id) ?? '') : undefined
      if (call) call.output = typeof block.content === 'string' ? block.content : textOf(block.content)
    }
    const words = userWords(record)
    if (words) this.#messages.push({ ...words, timestamp })
  }

  /** Each content block has its own line; lines of one message share its id, and all of them carry its usage. */
  #assistant(native: JsonRecord, timestamp: number | undefined): void {
    const id = asString(native.id) ?? ''
    const model = asString(native.model)
    let message = this.#byMessageId.get(id)
    if (!message) {
      message = { role: 'assistant', content: '', timestamp }
      this.#byMessageId.set(id, message)
      this.#messages.push(message)
    }
    if (model !== undefined && model !== '<synthetic>') message.model = model
    const usage = asRecord(native.usage)
    if (usage) message.tokenUsage = readUsage(usage)
    for (const block of asRecords(native.content)) this.#block(message, block)
  }

  #block(message: SessionMessage, block: JsonRecord): void {
    if (block.type === 'text') message.content = joinLines(message.content, textOf(block.text))
    else if (block.type === 'thinking') message.thinking = joinLines(message.thinking ?? '', textOf(block.thinking))
    else if (block.type === 'tool_use') {
      const toolCallId = asString(block.id) ?? ''
      const call: SessionToolCall = { toolCallId, toolName: asString(block.name) ?? '', input: block.input }
      this.#calls.set(toolCallId, call)
      message.toolCalls = [...(message.toolCalls ?? []), call]
    }
  }

  session(filePath: string): Session {
    const sessionId = basename(filePath, '.jsonl')
    const { createdAt, updatedAt } = this.#times
    const cost = this.#costState && readCost(this.#costState)
    const [messages, summary] = [this.#messages, this.#customTitle || this.#aiTitle]
    return sessionOf('claude', sessionId, { createdAt, updatedAt, cwd: this.#cwd, messages, cost, summary })
  }
}

function joinLines(before: string, text: string): string {
  return before === '' ? text : `${before}\n${text}`
}

function readUsage(usage: JsonRecord): TokenUsage {
  const counts = netCounts({
    input: usage.input_tokens,
    output: usage.output_tokens,
    thinking: asRecord(usage.output_tokens_details)?.thinking_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheCreation: usage.cache_creation_input_tokens,
  })
  return withTotal(counts)
}

/** Helper models included, which the messages do not show. Undefined when the CLI had no price for a model. */
function readCost(state: JsonRecord): CostRecord | undefined {
  const totalUsd = asNumber(state.totalCostUSD)
  if (totalUsd === undefined || state.hasUnknownModelCost === true) return undefined
  const models = Object.values(asRecord(state.modelUsage) ?? {}).map((native) =>
    readModelCounts(asRecord(native) ?? {}),
  )
  return costRecord(totalUsd, models.reduce(addUsage, emptyUsage()))
}

/** `<config>/projects/<project>/<id>.jsonl`. Conversations of sub-agents lie deeper and are not sessions. */
export const sessions: SessionFiles = {
  isSession: filesByProject(SESSION_FILE, isProjectFolder),
  parentOf: (relativePath) => SUBAGENT_FILE.exec(relativePath)?.[1],
  log,
  read: readByLine(
    () => new SessionReader(),
    (line) => line.startsWith(API_LINE),
  ),
}
