import { basename } from 'node:path'
import { asRecord, asRecords, asString, asTime } from '../../core/json.ts'
import { countPrompt, emptyFacts, recordLog, seenAt } from '../../core/session-log.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { wordsIn } from './session-lines.ts'

export const log = recordLog({
  version: 2,
  start: (filePath) => ({ facts: emptyFacts(basename(filePath, '.jsonl')) }),
  record({ facts }, record) {
    if (record.type === 'session_start') {
      facts.sessionId = asString(record.id) ?? facts.sessionId
      facts.cwd = asString(record.cwd)
      facts.forkedFrom = asString(record.parent)
      facts.parentId = asString(record.callingSessionId)
    }
    if (record.type !== 'message') return
    const native = asRecord(record.message) ?? {}
    seenAt(facts, asTime(record.timestamp))
    if (native.visibility === 'llm_only') return
    if (native.role === 'assistant') {
      facts.messageCount += 1
      facts.model = asString(native.modelId) ?? facts.model
      return
    }
    const content = wordsIn(asRecords(native.content), 'text')
    if (content === '') return
    if (native.role === 'user') return countPrompt(facts, content)
    facts.title ||= sessionTitle(content)
    facts.messageCount += 1
  },
})
