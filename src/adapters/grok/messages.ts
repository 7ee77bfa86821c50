import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { ClaudeDialect } from '../../core/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../../core/claude-stream/dialogue.ts'
import { joinPrompt } from '../../core/prompt.ts'
import { GUIDANCE } from './profile.ts'
import { TOOLS, toolOutcome } from './tools.ts'

/** `--output-format streaming-messages-json`, which no run of ours asks for, but recordings hold. */
const dialect: ClaudeDialect = {
  agent: 'grok',
  displayName: 'Grok',
  tools: TOOLS,
  questionTool: 'ask_user_question',
  ignoredOptions: [],
  silent: new Set(),
  midTurn: 'queued',
  wholeBlock: 'after-stop',
  usage: 'result',
  structuredField: 'structured_output',
  loginGuidance: GUIDANCE,
  verdicts: [{ field: 'subtype', value: 'error_max_turns', kind: 'turn_limit' }],
  failureWords: [],
  errorCodes: new Map(),
  exitCodes: new Map(),
  exitWords: [],
  promptContent: (options) => joinPrompt(options.prompt),
  toolOutcome,
}

export function messagesDialogue(options: RunOptions): Dialogue {
  return claudeStreamDialogue(dialect, { ...options, nonInteractive: true })
}
