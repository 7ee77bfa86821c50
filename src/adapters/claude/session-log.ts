import { basename } from 'node:path'
import type { ReportedUsage, UsageRow } from '../../contract/session-store.ts'
import { asNumber, asRecord, type JsonRecord } from '../../core/json.ts'
import { emptyFacts, type LogState, lineRecord, seenAt, sessionLog } from '../../core/session-log.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { readModelCounts } from '../families/claude-stream/usage.ts'
import { LogLine } from './log-line.ts'
import { userWords } from './session-lines.ts'

interface State extends LogState {
  /** Lines of one message need not follow each other: the results of its first tools come in between. */
  recentMessages: string[]
}

const RECENT = 32

const line = new LogLine()

function readUser(state: State, record: JsonRecord | null): void {
  const words = record && userWords(record)
  if (!words) return
  state.facts.messageCount += 1
  if (words.role === 'system') return
  state.facts.turnCount += 1
  state.facts.title ||= sessionTitle(words.content)
}

function readAssistant(state: State): void {
  const { facts, recentMessages } = state
  if (line.model !== undefined) facts.model = line.model
  if (recentMessages.includes(line.messageId)) return
  recentMessages.push(line.messageId)
  if (recentMessages.length > RECENT) recentMessages.shift()
  facts.messageCount += 1
}

function countRequest(at: number, add: (row: UsageRow) => void): void {
  const inputTokens = line.input + line.cacheRead + line.cacheCreation
  if (inputTokens + line.output === 0) return
  add({
    key: line.key(),
    at,
    model: line.model,
    inputTokens,
    outputTokens: line.output,
    thinkingTokens: line.thinking,
    cacheReadTokens: line.cacheRead,
    cacheCreationTokens: line.cacheCreation,
    cacheCreation1hTokens: line.cacheHour,
  })
}

/** Helper models included, which the messages do not show. For a model without a price the CLI takes that of another. */
function readReported(record: JsonRecord | null): ReportedUsage[] {
  return Object.entries(asRecord(record?.modelUsage) ?? {}).map(([model, value]) => {
    const native = asRecord(value) ?? {}
    const { cachedTokens: _, ...counts } = readModelCounts(native)
    const costUsd = record?.hasUnknownModelCost === true ? undefined : asNumber(native.costUSD)
    return { model, ...counts, costUsd }
  })
}

/** `<id>.jsonl` of a session, or `agent-<id>.jsonl` of a sub-agent, all of whose lines are marked as a side chain. */
export const log = sessionLog<State>({
  version: 1,
  start: (filePath) => ({ facts: emptyFacts(basename(filePath, '.jsonl')), recentMessages: [] }),
  line(state, bytes, start, end, add) {
    const { facts } = state
    if (!line.read(bytes, start, end, facts.cwd === undefined)) return
    const at = line.at ?? facts.updatedAt
    if (line.kind === 'assistant' && line.hasUsage) countRequest(at, add)
    if (line.kind === 'cost') {
      facts.reported = readReported(lineRecord(bytes, start, end))
      facts.reportedAt = at
      return
    }
    if (line.isSidechain || line.isMeta) return
    seenAt(facts, line.at)
    facts.cwd ??= line.cwd
    if (line.kind === 'assistant') readAssistant(state)
    else if (line.kind === 'user' && !line.onlyToolResult) readUser(state, lineRecord(bytes, start, end))
  },
})
