import { basename } from 'node:path'
import type { UsageRow } from '../../contract/session-store.ts'
import { asRecord, asRecords, asString, asTime, type JsonRecord } from '../../core/json.ts'
import { emptyFacts, type LogState, recordLog, usageRow } from '../../core/session-log.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { projectRoot, readMessage, readUsage } from './session-lines.ts'

interface KeptMessage {
  id: string
  /** Empty for what the CLI itself says. */
  role: string
  title?: string
}

interface State extends LogState {
  hasHeader: boolean
  /** As a title: what is kept goes into the index. */
  summary: string
  /**
   * What is in the conversation now, in its order: a message reported again takes the place of what was reported
   * before.
   */
  messages: KeptMessage[]
}

function header({ facts, hasHeader }: State, { sessionId, startTime, lastUpdated }: JsonRecord): void {
  if (!hasHeader) facts.sessionId = asString(sessionId) ?? facts.sessionId
  facts.createdAt ||= asTime(startTime) ?? 0
  facts.updatedAt = Math.max(facts.updatedAt, asTime(lastUpdated) ?? 0)
}

function message(state: State, record: JsonRecord, add: (row: UsageRow) => void): void {
  const id = asString(record.id) ?? ''
  const at = asTime(record.timestamp)
  state.facts.updatedAt = Math.max(state.facts.updatedAt, at ?? 0)
  const [read] = readMessage(record)
  const kept: KeptMessage = { id, role: read?.role ?? '' }
  if (read?.role === 'user') kept.title = sessionTitle(read.content)
  state.facts.model = read?.model ?? state.facts.model
  const index = state.messages.findLastIndex((one) => one.id === id)
  state.messages[index === -1 ? state.messages.length : index] = kept
  const tokens = asRecord(record.tokens)
  if (tokens) add(usageRow(id, at ?? state.facts.updatedAt, asString(record.model), readUsage(tokens)))
}

export const log = recordLog<State>({
  version: 2,
  start: (filePath) => ({
    facts: { ...emptyFacts(basename(filePath, '.jsonl')), cwd: projectRoot(filePath) },
    hasHeader: false,
    summary: '',
    messages: [],
  }),
  record(state, record, add) {
    const changes = asRecord(record.$set)
    if (changes) {
      header(state, { ...changes, startTime: undefined })
      const summary = asString(changes.summary)
      if (summary !== undefined) state.summary = sessionTitle(summary)
      // A list of messages is all of them from then on.
      if (Array.isArray(changes.messages)) state.messages = []
      for (const one of asRecords(changes.messages)) message(state, one, add)
    } else if (asString(record.id) !== undefined) message(state, record, add)
    else {
      header(state, record)
      state.hasHeader ||= asString(record.sessionId) !== undefined
    }
  },
  conclude({ facts, messages, summary }) {
    const prompts = messages.filter(({ role }) => role === 'user')
    facts.turnCount = prompts.length
    facts.messageCount = messages.filter(({ role }) => role !== '').length
    facts.title = prompts[0]?.title ?? summary
  },
})
