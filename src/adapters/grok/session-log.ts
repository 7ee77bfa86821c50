import { basename, dirname } from 'node:path'
import { countPrompt, emptyFacts, recordLog } from '../../core/session-log.ts'
import { promptText } from './session-lines.ts'

/** Times, model and counts are in the files beside it. */
export const log = recordLog({
  version: 2,
  start: (filePath) => ({ facts: emptyFacts(basename(dirname(filePath))) }),
  record({ facts }, record) {
    if (record.type === 'assistant') facts.messageCount += 1
    else if (record.type === 'user') {
      const content = promptText(record)
      if (content !== '') countPrompt(facts, content)
    }
  },
})
