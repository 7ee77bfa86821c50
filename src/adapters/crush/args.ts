import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'

const UNSUPPORTED: UnsupportedOptions = {
  thinkingEffort: '',
  thinkingBudgetTokens: '',
  thinkingOverride: '',
  forkSessionId: '',
  newSessionId: '',
  noSession: '',
  outputSchema: '',
  maxTurns: '',
  addDirs: '',
  allowedTools: '',
  disallowedTools: '',
  mcpServers: 'Put them into crush.json.',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
  attachments: 'Name the files in the prompt.',
}

/** One turn: the prompt by stdin, text out. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('crush', options, UNSUPPORTED)
  const { sessionId, model, systemPrompt, cwd = process.cwd(), env = {} } = options
  const prompt = joinPrompt(options.prompt)
  return {
    command: 'crush',
    args: [
      'run',
      '--quiet',
      ...(model === undefined ? [] : ['--model', model]),
      ...(sessionId === undefined ? [] : ['--session', sessionId]),
    ],
    env: { CRUSH_DISABLE_METRICS: '1', CRUSH_DISABLE_PROVIDER_AUTO_UPDATE: '1', ...env },
    cwd,
    usePty: false,
    stdin: systemPrompt === undefined ? prompt : withSystemBlock(systemPrompt, prompt),
    closeStdinAfterSpawn: true,
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
  }
}
