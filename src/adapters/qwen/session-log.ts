import { basename } from 'node:path'
import { asRecord, asRecords, asString, asTime } from '../../core/json.ts'
import { countPrompt, emptyFacts, recordLog, seenAt, usageRow } from '../../core/session-log.ts'
import { helperRequest, readUsage, userText } from './session-lines.ts'

export const log = recordLog({
  version: 2,
  start: (filePath) => ({ facts: emptyFacts(basename(filePath, '.jsonl')) }),
  record({ facts }, record, add) {
    const origin = asRecord(record.forkedFrom)
    seenAt(facts, asTime(record.timestamp))
    facts.cwd ??= asString(record.cwd)
    facts.forkedFrom ??= asString(origin?.sessionId)
    const parts = asRecords(asRecord(record.message)?.parts)
    const helper = record.subtype === 'ui_telemetry' ? helperRequest(record) : null
    if (helper) add(helper)
    if (record.type === 'user') {
      const content = userText(record, parts)
      if (content === '') return
      countPrompt(facts, content)
      if (record.subtype !== undefined) facts.turnCount -= 1
    } else if (record.type === 'assistant') {
      facts.messageCount += 1
      facts.model = asString(record.model) ?? facts.model
      const usage = asRecord(record.usageMetadata)
      // A fork's copy of a line says which one it is a copy of.
      const key = asString(origin?.messageUuid) ?? asString(record.uuid) ?? ''
      if (usage)
        add(usageRow(key, asTime(record.timestamp) ?? facts.updatedAt, asString(record.model), readUsage(usage)))
    }
  },
})
