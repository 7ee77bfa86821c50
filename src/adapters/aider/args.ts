import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'

const UNSUPPORTED: UnsupportedOptions = {
  thinkingOverride: '',
  sessionId: 'There is one history for each directory, and no id.',
  forkSessionId: '',
  newSessionId: '',
  noSession: '',
  outputSchema: '',
  maxTurns: '',
  addDirs: '',
  allowedTools: '',
  disallowedTools: '',
  mcpServers: '',
  skills: '',
  agentsDoc: 'Pass it as systemPrompt.',
  attachments: 'Name the files in the prompt.',
}

const APPROVALS: Record<ApprovalMode, string[]> = {
  prompt: [],
  'accept-edits': [],
  yolo: ['--yes-always'],
  deny: ['--dry-run'],
}

/** One message from a file, then it ends. Its stdin is closed, so that nothing it asks is answered with yes. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('aider', options, UNSUPPORTED)
  const { model, systemPrompt, thinkingEffort, thinkingBudgetTokens, cwd = process.cwd(), env = {} } = options
  const prompt = joinPrompt(options.prompt)
  return {
    command: 'aider',
    args: [
      '--message-file',
      '{file:prompt.txt}',
      '--no-pretty',
      '--no-stream',
      '--no-fancy-input',
      '--no-check-update',
      '--no-show-release-notes',
      '--no-show-model-warnings',
      '--no-analytics',
      ...APPROVALS[options.approvalMode ?? 'prompt'],
      ...(model === undefined ? [] : ['--model', model]),
      ...(thinkingEffort === undefined ? [] : ['--reasoning-effort', thinkingEffort]),
      ...(thinkingBudgetTokens === undefined ? [] : ['--thinking-tokens', String(thinkingBudgetTokens)]),
    ],
    env,
    cwd,
    usePty: false,
    stdin: '',
    closeStdinAfterSpawn: true,
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
    files: [
      { name: 'prompt.txt', content: systemPrompt === undefined ? prompt : withSystemBlock(systemPrompt, prompt) },
    ],
  }
}
