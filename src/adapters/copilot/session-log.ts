import { basename, dirname } from 'node:path'
import { asRecord, asString, asTime, type JsonRecord } from '../../core/json.ts'
import { countPrompt, emptyFacts, type LogState, recordLog, seenAt, usageRow } from '../../core/session-log.ts'
import { readUsage } from './session-lines.ts'

interface State extends LogState {
  hasStart: boolean
}

function own(state: State, type: unknown, data: JsonRecord): void {
  const { facts } = state
  switch (type) {
    case 'session.start':
    case 'session.resume':
      if (!state.hasStart) facts.sessionId = asString(data.sessionId) ?? facts.sessionId
      state.hasStart = true
      facts.cwd ??= asString(asRecord(data.context)?.cwd)
      facts.model = asString(data.selectedModel) ?? facts.model
      break
    case 'user.message':
      countPrompt(facts, asString(data.content) ?? '')
      break
    case 'assistant.message':
      facts.messageCount += 1
      facts.model = asString(data.model) ?? facts.model
  }
}

export const log = recordLog<State>({
  version: 1,
  start: (filePath) => ({ facts: emptyFacts(basename(dirname(filePath))), hasStart: false }),
  record(state, record, add) {
    const data = asRecord(record.data) ?? {}
    const at = asTime(record.timestamp)
    seenAt(state.facts, at)
    if (record.type === 'session.usage_record') {
      const usage = asRecord(data.usage) ?? {}
      const row = usageRow(asString(record.id) ?? '', at ?? 0, asString(usage.model), readUsage(usage))
      add(row)
    }
    // What sub-agents say and hear is not a part of the conversation.
    else if (record.agentId === undefined) own(state, record.type, data)
  },
})
