import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { endpointConfig, endpointModel } from './endpoint.ts'

/** `agent exec` has no place for these; its `--config` would take the place of the user's whole configuration. */
const UNSUPPORTED: UnsupportedOptions = {
  sessionId: 'openclaw agent exec keeps no session.',
  forkSessionId: 'openclaw agent exec keeps no session.',
  newSessionId: 'openclaw agent exec keeps no session.',
  thinkingBudgetTokens: 'Use thinkingEffort.',
  thinkingOverride: 'Use thinkingEffort.',
  outputSchema: '',
  allowedTools: 'Set tools.allow in the configuration of the agent.',
  disallowedTools: 'Set tools.deny in the configuration of the agent.',
  mcpServers: 'Add them with `openclaw mcp set`.',
  attachments: 'Name the path of the file in the prompt.',
  addDirs: '',
  maxTurns: '',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
}

const APPROVAL_MODES: ReadonlySet<string> = new Set(['prompt', 'yolo'])

/** The agent's requests to a model are told on stderr, so this long a silence is a model, or a command, that hangs. */
const SILENCE_MS = 600_000

/** Tool calls and retries are told in the log only; updates and telemetry do not belong into a run. */
const ENV = { OPENCLAW_LOG_LEVEL: 'debug', OPENCLAW_NO_AUTO_UPDATE: '1', OPENCLAW_DISABLE_TELEMETRY: '1' }

function endpointPlan(endpoint: EndpointOverride, model?: string): EndpointPlan {
  const content = JSON.stringify(endpointConfig(endpoint, model))
  return { env: {}, args: ['--config={file:openclaw.json}'], files: [{ name: 'openclaw.json', content }] }
}

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return endpointPlan(endpoint)
}

function refuseUnsupported(options: RunOptions): void {
  refuseOptions('openclaw', options, UNSUPPORTED)
  const { approvalMode, systemPrompt, systemPromptMode } = options
  if (approvalMode !== undefined && !APPROVAL_MODES.has(approvalMode)) {
    throw new CapabilityError('openclaw', `approval mode ${approvalMode}`, {
      hint: 'openclaw agent exec asks nobody: what it may do is set in tools.* of its configuration.',
    })
  }
  if (systemPrompt !== undefined && systemPromptMode === 'replace') {
    throw new CapabilityError('openclaw', 'systemPromptMode replace', { hint: 'Use append.' })
  }
}

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseUnsupported(options)
  const { model, thinkingEffort, endpoint, systemPrompt, timeout, cwd = process.cwd() } = options
  const prompt = joinPrompt(options.prompt)
  const plan = endpoint ? endpointPlan(endpoint, model) : { env: {}, args: [], files: [] }
  // Its own deadline is ten minutes: ours holds instead.
  const args = ['agent', 'exec', '--json', '--message-file=-', '--timeout=0', ...plan.args]
  if (model !== undefined) args.push(`--model=${endpoint ? endpointModel(model) : model}`)
  if (thinkingEffort !== undefined) args.push(`--thinking=${thinkingEffort}`)
  return {
    command: 'openclaw',
    args,
    env: { ...ENV, ...plan.env, ...options.env },
    cwd,
    usePty: false,
    stdin: systemPrompt === undefined ? prompt : withSystemBlock(systemPrompt, prompt),
    closeStdinAfterSpawn: true,
    timeout,
    inactivityTimeout: options.inactivityTimeout ?? SILENCE_MS,
    files: plan.files,
  }
}
