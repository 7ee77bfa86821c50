import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { promptText } from './prompt.ts'

const UNSUPPORTED: UnsupportedOptions = {
  thinkingEffort: 'It is part of the model.',
  thinkingBudgetTokens: '',
  thinkingOverride: '',
  forkSessionId: '',
  newSessionId: 'Letta chooses the id of a conversation itself.',
  noSession: '',
  outputSchema: '',
  addDirs: '',
  mcpServers: '',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
  attachments: 'Name the files in the prompt.',
}

/** In `standard` it asks; for `deny` the answer is no, and nobody is asked. */
const MODES: Record<ApprovalMode, string> = {
  prompt: 'standard',
  'accept-edits': 'acceptEdits',
  yolo: 'unrestricted',
  deny: 'standard',
}

/** The live form speaks stream-json both ways; a one-shot run reads its prompt from stdin. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('letta', options, UNSUPPORTED)
  const { sessionId, model, maxTurns, approvalMode = 'prompt', allowedTools, disallowedTools } = options
  const oneShot = options.nonInteractive === true
  return {
    command: 'letta',
    args: [
      '--prompt',
      '--output-format',
      'stream-json',
      ...(oneShot ? [] : ['--input-format', 'stream-json']),
      '--permission-mode',
      MODES[approvalMode],
      ...(sessionId === undefined ? ['--new'] : ['--conversation', sessionId]),
      ...(model === undefined ? [] : ['--model', model]),
      ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
      ...(allowedTools === undefined ? [] : ['--allowedTools', allowedTools.join(',')]),
      ...(disallowedTools === undefined ? [] : ['--disallowedTools', disallowedTools.join(',')]),
    ],
    env: { DISABLE_AUTOUPDATER: '1', LETTA_CODE_TELEM: '0', ...options.env },
    cwd: options.cwd ?? process.cwd(),
    usePty: false,
    ...(oneShot ? { stdin: promptText(options), closeStdinAfterSpawn: true } : {}),
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
  }
}
