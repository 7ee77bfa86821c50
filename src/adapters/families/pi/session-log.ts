import type { SessionLog, SessionReading, UsageRow } from '../../../contract/session-store.ts'
import { asRecord, asString, asTime, type JsonRecord } from '../../../core/json.ts'
import { emptyFacts, type LogState, recordLog, usageRow } from '../../../core/session-log.ts'
import { sessionTitle } from '../../../core/session-title.ts'
import { messageOf, sessionIdOf, usageOf } from './session-tree.ts'
import { readCost, readCounts } from './usage.ts'

/** What there is on the way from the root to an entry. */
interface Branch {
  turns: number
  messages: number
  title?: string
  model?: string
}

interface State extends LogState {
  hasHeader: boolean
  /** Of records so far. */
  count: number
  /** By the id of the entry at its end: a later one may begin at any of them. */
  branches: Record<string, Branch>
}

/** The newest version of the format that has been seen. */
const KNOWN_VERSION = 4

function header(state: State, record: JsonRecord): void {
  const { facts } = state
  if (state.hasHeader) return
  state.hasHeader = true
  if (Number(record.version) > KNOWN_VERSION) throw new Error(`Its format is a newer one (version ${record.version})`)
  facts.sessionId = asString(record.id) ?? facts.sessionId
  facts.cwd = asString(record.cwd)
  const parent = asString(record.parentSession)
  if (parent !== undefined) facts.forkedFrom = sessionIdOf(parent)
  const at = asTime(record.timestamp)
  if (at !== undefined) facts.createdAt = at
  facts.updatedAt ||= facts.createdAt
}

/** The branch that ends with this entry. */
function extend(parent: Branch | undefined, entry: JsonRecord): Branch {
  const branch = { turns: 0, messages: 0, ...parent }
  const message = messageOf(entry)
  if (!message) return branch
  branch.messages += 1
  if (message.role === 'user') {
    branch.turns += 1
    branch.title ??= sessionTitle(message.content)
  }
  branch.model = message.model ?? branch.model
  return branch
}

function start(knownId: string): State {
  return { facts: emptyFacts(knownId), hasHeader: false, count: 0, branches: {} }
}

function readRecord(state: State, record: JsonRecord, add: (row: UsageRow) => void): void {
  const { facts, branches } = state
  const id = asString(record.id)
  if (record.type === 'session') header(state, record)
  if (record.type === 'session' || id === undefined) return
  const at = asTime(record.timestamp)
  facts.createdAt ||= at ?? 0
  facts.updatedAt = at ?? facts.updatedAt
  const branch = extend(branches[asString(record.parentId) ?? ''], record)
  branches[id] = branch
  facts.turnCount = branch.turns
  facts.messageCount = branch.messages
  facts.title = branch.title ?? ''
  facts.model = branch.model
  for (const usage of usageOf(record)) {
    const counts = readCounts(usage)
    if (counts.inputTokens + counts.outputTokens === 0) continue
    // An id is short; with its time it is one of a kind, and the same in a fork.
    const model = asString(asRecord(record.message)?.model) ?? asString(record.model)
    const row = usageRow(`${id}@${at ?? 0}`, at ?? facts.updatedAt, model, counts)
    add({ ...row, costUsd: readCost(usage) })
  }
}

/** How an agent differs that keeps Pi's messages in another frame. */
interface TreeFrame {
  idOf?(filePath: string): string
  entryOf?(record: JsonRecord, index: number): JsonRecord
}

/** A tree of entries. The newest branch is the conversation, but what was spent on the others was spent, too. */
export function treeLog({ idOf = sessionIdOf, entryOf = (record) => record }: TreeFrame = {}): SessionLog {
  return recordLog<State>({
    version: 2,
    start: (filePath) => start(idOf(filePath)),
    record(state, record, add) {
      readRecord(state, entryOf(record, state.count), add)
      state.count += 1
    },
  })
}

/** The same from records wherever they are kept. */
export function readTree(records: readonly JsonRecord[], knownId: string): SessionReading {
  const state = start(knownId)
  const usage: UsageRow[] = []
  for (const record of records) readRecord(state, record, (row) => usage.push(row))
  return { facts: state.facts, usage }
}
