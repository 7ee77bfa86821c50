import { basename, dirname } from 'node:path'
import type { UsageRow } from '../../contract/session-store.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { countPrompt, emptyFacts, type LogState, recordLog, seenAt, usageRow } from '../../core/session-log.ts'
import { profile } from './profile.ts'
import { promptText } from './session-lines.ts'
import { readCounts } from './turn-record.ts'

interface State extends LogState {
  /** Whether a reply is being put together from its parts. */
  inReply: boolean
}

const PARTS = ['content.part', 'tool.call']

function loopEvent(state: State, event: JsonRecord): void {
  if (event.type === 'step.begin') state.inReply = false
  if (!PARTS.includes(asString(event.type) ?? '')) return
  if (!state.inReply) state.facts.messageCount += 1
  state.inReply = true
  state.facts.cwd ??= asString(asRecord(event.display)?.cwd)
}

function request(state: State, record: JsonRecord, at: number, add: (row: UsageRow) => void): void {
  const model = asString(record.model)
  const key = `${asString(record.agentId) ?? ''}@${at}`
  const named = model === profile.endpointModel ? state.facts.model : model
  add(usageRow(key, at, named, readCounts(asRecord(record.usage) ?? {})))
}

/** `…/session_<id>/agents/<main or a sub-agent>/wire.jsonl` */
export const log = recordLog<State>({
  version: 1,
  start: (filePath) => ({ facts: emptyFacts(basename(dirname(dirname(dirname(filePath))))), inReply: false }),
  record(state, record, add) {
    const { facts } = state
    const at = asNumber(record.time) ?? asNumber(record.created_at)
    seenAt(facts, at)
    if (record.type === 'context.append_message') {
      const text = promptText(asRecord(record.message) ?? {})
      if (text === null) return
      state.inReply = false
      countPrompt(facts, text)
    } else if (record.type === 'context.append_loop_event') loopEvent(state, asRecord(record.event) ?? {})
    else if (record.type === 'llm.request') facts.model = asString(record.model) ?? facts.model
    else if (record.type === 'usage.record') request(state, record, at ?? facts.updatedAt, add)
  },
})
