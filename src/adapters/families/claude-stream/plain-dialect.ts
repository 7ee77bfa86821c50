import { textOf } from '../../../core/json.ts'
import { joinPrompt } from '../../kit/prompt.ts'
import type { ClaudeDialect } from './dialect.ts'

/** Those who have taken Claude Code's records for their own differ from each other in little more than their tools. */
export const PLAIN_DIALECT: Omit<ClaudeDialect, 'agent' | 'displayName' | 'tools' | 'guidance'> = {
  questionTool: '',
  silent: new Set(),
  midTurn: 'queued',
  wholeBlock: 'before-stop',
  usage: 'replies',
  structuredField: 'structured_output',
  verdicts: [{ field: 'subtype', value: 'error_max_turns', kind: 'turn_limit' }],
  failureWords: [],
  errorCodes: new Map(),
  exitCodes: new Map(),
  exitWords: [],
  promptContent: ({ prompt }) => joinPrompt(prompt),
  toolOutcome: (block) => {
    const output = textOf(block.content)
    return { output: block.content, stdout: output, error: block.is_error === true ? output : undefined }
  },
}
