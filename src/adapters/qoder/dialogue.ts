import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import type { ClaudeDialect } from '../families/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../families/claude-stream/dialogue.ts'
import { PLAIN_DIALECT } from '../families/claude-stream/plain-dialect.ts'
import { promptWithMentions } from '../kit/mention.ts'
import { profile } from './profile.ts'
import { TOOLS } from './tools.ts'

/** Known from the schemas of 1.1.52, and of no interest. */
const SILENT: ReadonlySet<string> = new Set([
  'command_lifecycle',
  'keep_alive',
  'prompt_suggestion',
  'system/ai_title_generated',
  'system/artifacts_update',
  'system/available_models_update',
  'system/background_tasks_changed',
  'system/bridge_state',
  'system/commands_changed',
  'system/control_request_progress',
  'system/elicitation_complete',
  'system/files_persisted',
  'system/goal_cleared',
  'system/goal_updated',
  'system/hook_progress',
  'system/hook_started',
  'system/model_queue_status',
  'system/plan_mode_changed',
  'system/remote_worker_init',
  'system/session_state_changed',
  'system/session_title_changed',
  'system/skill_evolution',
  'system/status',
  'system/task_progress',
  'system/task_updated',
])

/** Seen of 1.1.52: the first record, and those of a run without an account. The rest as in Claude Code. */
const dialect: ClaudeDialect = {
  ...PLAIN_DIALECT,
  agent: 'qoder',
  displayName: 'Qoder CLI',
  tools: TOOLS,
  questionTool: 'AskUserQuestion',
  silent: SILENT,
  verdicts: [...PLAIN_DIALECT.verdicts, { field: 'subtype', value: 'error_max_budget_usd', kind: 'budget' }],
  guidance: profile.guidance ?? '',
  failureWords: [{ pattern: /^Not logged in/, kind: 'auth' }],
  errorCodes: new Map([['authentication_failed', 'auth']]),
  exitWords: profile.exitWords ?? [],
  promptContent: (options) => promptWithMentions('qoder', options),
}

/** Speaks both wires of the Qoder CLI: ACP, and the records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  return eitherWire({
    usesAcp: !options.nonInteractive,
    acp: acpDialogue('qoder', profile)(options),
    stream: claudeStreamDialogue(dialect, { ...options, nonInteractive: true }),
  })
}
