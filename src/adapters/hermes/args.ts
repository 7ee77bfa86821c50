import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { acpSpawnArgs } from '../acp/args.ts'
import type { AcpProfile } from '../acp/profile.ts'
import { manifest } from './manifest.ts'

export const profile: AcpProfile = {
  args: ['acp'],
  guidance: 'Run `hermes setup`, or set the key of a provider, such as OPENROUTER_API_KEY.',
  exits: [
    {
      pattern: /^.*(no .*(api key|provider|credentials)|hermes (setup|login|auth)|unauthorized|401).*$/im,
      kind: 'auth',
    },
    { pattern: /^.*session.*not found.*$/im, kind: 'session_not_found' },
    { pattern: /^hermes.*: error: .*$/m, kind: 'invalid_request' },
  ],
}

const UNSUPPORTED: UnsupportedOptions = {
  thinkingBudgetTokens: 'Use thinkingEffort.',
  thinkingOverride: 'Use thinkingEffort.',
  forkSessionId: '',
  newSessionId: '',
  noSession: '',
  outputSchema: '',
  addDirs: '',
  allowedTools: '',
  disallowedTools: '',
  mcpServers: 'One-shot runs take those of config.yaml only; a live run takes others.',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
  attachments: 'Name the files in the prompt.',
}

/** One turn of its own stream: the prompt by stdin, records out. */
function chatArgs(options: RunOptions): SpawnArgs {
  refuseOptions('hermes', options, UNSUPPORTED)
  const { model, sessionId, maxTurns, systemPrompt, approvalMode, cwd = process.cwd(), env = {} } = options
  const prompt = joinPrompt(options.prompt)
  return {
    command: manifest.cliCommand,
    args: [
      'chat',
      '--query-file',
      '-',
      '--format',
      'stream-json',
      ...(model === undefined ? [] : ['--model', model]),
      ...(sessionId === undefined ? [] : ['--resume', sessionId]),
      ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
      ...(options.thinkingEffort === undefined ? [] : ['--reasoning', options.thinkingEffort]),
      ...(approvalMode === 'yolo' ? ['--yolo'] : []),
    ],
    env,
    cwd,
    usePty: false,
    stdin: systemPrompt === undefined ? prompt : withSystemBlock(systemPrompt, prompt),
    closeStdinAfterSpawn: true,
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
  }
}

const acpArgs = acpSpawnArgs(manifest, profile)

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  return options.nonInteractive ? chatArgs(options) : acpArgs(options)
}
