import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { ClaudeDialect } from '../../core/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../../core/claude-stream/dialogue.ts'
import { promptContent } from './prompt.ts'
import { TOOLS, toolOutcome } from './tools.ts'

const ROOT_HINT = '. Set IS_SANDBOX=1 in `env` if this is a sandbox, or choose another approvalMode.'

const dialect: ClaudeDialect = {
  agent: 'claude',
  displayName: 'Claude Code',
  tools: TOOLS,
  questionTool: 'AskUserQuestion',
  ignoredOptions: ['temperature', 'topP', 'topK'],
  silent: new Set([
    'command_lifecycle',
    'keep_alive',
    'stream_event/ping',
    'system/status',
    'system/thinking_tokens',
    'system/hook_started',
    'system/task_progress',
    'system/task_updated',
    'system/session_title_changed',
    'system/ui_invalidate',
    'system/model_refusal_no_fallback',
  ]),
  midTurn: 'taken',
  wholeBlock: 'before-stop',
  usage: 'result',
  structuredField: 'structured_output',
  loginGuidance: 'Set ANTHROPIC_API_KEY, or run `claude auth login`.',
  fixedKeySource: 'ANTHROPIC_API_KEY',
  verdicts: [
    { field: 'terminal_reason', value: 'aborted_streaming', kind: 'cancelled' },
    { field: 'terminal_reason', value: 'aborted_tools', kind: 'cancelled' },
    { field: 'subtype', value: 'error_max_turns', kind: 'turn_limit' },
    { field: 'subtype', value: 'error_max_budget_usd', kind: 'budget' },
    { field: 'terminal_reason', value: 'prompt_too_long', kind: 'context' },
    { field: 'stop_reason', value: 'refusal', kind: 'refusal' },
    { field: 'api_error', value: 'connection_failed', kind: 'network' },
  ],
  failureWords: [{ pattern: /^No conversation found/, kind: 'session_not_found' }],
  errorCodes: new Map([
    ['authentication_failed', 'auth'],
    ['billing_error', 'quota'],
    ['rate_limit', 'rate_limit'],
    ['model_not_found', 'model_not_found'],
    ['server_error', 'server'],
    ['overloaded', 'overloaded'],
    ['invalid_request', 'invalid_request'],
  ]),
  exitCodes: new Map(),
  exitWords: [
    { pattern: /^No conversation found with session ID.*$/m, kind: 'session_not_found' },
    { pattern: /^.*does not match any session title.*$/m, kind: 'session_not_found' },
    { pattern: /^.*root\/sudo privileges.*$/m, kind: 'invalid_request', hint: ROOT_HINT },
    { pattern: /^Error: .*$/im, kind: 'invalid_request' },
  ],
  notInstalled: {
    pattern: /^.*native binary not installed.*$/m,
    hint: 'Run `node install.cjs` in its package.',
  },
  promptContent,
  toolOutcome,
}

/** Speaks stream-json with Claude Code. */
export function createDialogue(options: RunOptions): Dialogue {
  return claudeStreamDialogue(dialect, options)
}
