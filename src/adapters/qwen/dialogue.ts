import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { promptWithSchema } from '../../core/output-schema.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import type { ClaudeDialect } from '../families/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../families/claude-stream/dialogue.ts'
import { promptWithMentions } from '../kit/mention.ts'
import { logLine, RetryReasons } from './log.ts'
import { TOOLS, toolOutcome } from './tools.ts'

/** The longest that the CLI waits for the answer to an approval. Without this it gives up after a minute. */
const APPROVAL_TIMEOUT_MS = 600_000

const dialect: ClaudeDialect = {
  agent: 'qwen',
  displayName: 'Qwen Code',
  tools: TOOLS,
  questionTool: 'ask_user_question',
  silent: new Set([
    'stream_event/goal_state',
    'stream_event/tool_progress',
    'system/session_start',
    'system/session_end',
    'system/vision_bridge',
    'system/vision_routing',
    'system/worktree_started',
    'system/worktree_restored',
  ]),
  initialize: ({ thinkingEffort }) => ({ timeout: { canUseTool: APPROVAL_TIMEOUT_MS }, effort: thinkingEffort }),
  midTurn: 'queued',
  wholeBlock: 'after-stop',
  errorText: /^\s*\[API Error: (\d{3})?/,
  usage: 'messages',
  resultHasTotals: true,
  structuredField: 'structured_result',
  guidance: 'Set OPENAI_API_KEY (and OPENAI_BASE_URL), or run `qwen` and use /auth.',
  verdicts: [],
  failureWords: [
    { pattern: /^(Operation cancelled|Turn interrupted)/i, kind: 'cancelled' },
    { pattern: /^No auth type is selected/, kind: 'auth' },
    { pattern: /^Model produced plain text instead of calling the structured_output/, kind: 'output_invalid' },
  ],
  errorCodes: new Map(),
  exitCodes: new Map([[53, 'turn_limit']]),
  exitWords: [
    { pattern: /^No saved session found with ID.*$/m, kind: 'session_not_found' },
    { pattern: /^(Unknown argument|Invalid values).*$/im, kind: 'invalid_request' },
    { pattern: /^.*(API key|auth type|authentication).*$/im, kind: 'auth' },
    { pattern: /^Error: .*$/im, kind: 'refused' },
  ],
  promptContent: (options) => promptWithMentions('qwen', { ...options, prompt: promptWithSchema(options) }),
  toolOutcome,
}

/** Speaks stream-json with Qwen Code. Its ACP is read where a recording holds it. */
export function createDialogue(options: RunOptions): Dialogue {
  const stream = claudeStreamDialogue(dialect, options)
  const reasons = new RetryReasons()
  const acp = acpDialogue('qwen', { args: ['--acp'], guidance: dialect.guidance })(options)
  return eitherWire({
    usesAcp: false,
    acp,
    stream: {
      ...stream,
      onLine: (line, source) =>
        source === 'stderr' ? reasons.fromLog(logLine(line)) : reasons.inStream(stream.onLine(line, source)),
    },
  })
}
