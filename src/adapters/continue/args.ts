import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { joinPrompt } from '../../core/prompt.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'

const UNSUPPORTED: UnsupportedOptions = {
  thinkingEffort: 'Set it for the model in config.yaml.',
  thinkingBudgetTokens: 'Set it for the model in config.yaml.',
  thinkingOverride: 'Set it for the model in config.yaml.',
  sessionId: 'The CLI resumes only the last session; forkSessionId takes any.',
  newSessionId: 'The CLI chooses the id of a session itself.',
  noSession: 'The CLI always keeps its session.',
  maxTurns: '',
  outputSchema: '',
  addDirs: '',
  attachments: 'Name the files in the prompt.',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
}

const PROVIDERS: Readonly<Record<string, string>> = {
  'openai-chat': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** With `--auto` no list of tools counts. */
function modeFlags({ approvalMode, disallowedTools = [] }: RunOptions): string[] {
  if (approvalMode === 'yolo') return disallowedTools.length > 0 ? ['--allow', '*'] : ['--auto']
  return approvalMode === 'deny' ? ['--readonly'] : []
}

/** The CLI tries a rate limit again for minutes, without a word. */
const SILENCE_LIMIT_MS = 600_000

function refuseUnsupported(options: RunOptions): void {
  refuseOptions('continue', options, UNSUPPORTED)
  if (options.approvalMode === 'accept-edits') {
    throw new CapabilityError('continue', 'approvalMode accept-edits', { hint: 'Use yolo or deny.' })
  }
  if (options.systemPrompt !== undefined && (options.systemPromptMode ?? 'append') !== 'append') {
    throw new CapabilityError('continue', `systemPromptMode ${options.systemPromptMode}`, { hint: 'Use append.' })
  }
  if (options.mcpServers?.length && !options.endpoint) {
    throw new CapabilityError('continue', 'mcpServers without endpoint', { hint: 'Add them to config.yaml.' })
  }
}

function mcpServer(server: McpServerConfig): object {
  if ('command' in server) {
    return { name: server.name, command: server.command, args: server.args ?? [], env: server.env }
  }
  const headers = server.headers && { headers: server.headers }
  return { name: server.name, type: server.transport, url: server.url, requestOptions: headers }
}

/** A configuration of this run only. JSON is YAML, too. */
export function endpointOverride(endpoint: EndpointOverride, options: Partial<RunOptions> = {}): EndpointPlan {
  const { baseUrl, apiKey, protocol = 'openai-chat' } = endpoint
  const provider = PROVIDERS[protocol]
  if (provider === undefined) {
    const hint = `The endpoint must speak one of ${Object.keys(PROVIDERS).join(', ')}.`
    throw new CapabilityError('continue', `the ${protocol} protocol`, { hint })
  }
  const name = options.model ?? 'default'
  const model = { name, provider, model: name, apiBase: baseUrl, apiKey, capabilities: ['tool_use'], roles: ['chat'] }
  const config = {
    name: 'agent-mux',
    version: '1.0.0',
    schema: 'v1',
    models: [model],
    mcpServers: options.mcpServers?.map(mcpServer),
  }
  return {
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    args: ['--config', '{file:config.yaml}'],
    files: [{ name: 'config.yaml', content: JSON.stringify(config) }],
  }
}

/** The CLI reads stdin only from a terminal, so the prompt is on the command line. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseUnsupported(options)
  const endpoint = options.endpoint && endpointOverride(options.endpoint, options)
  const args = ['-p', ...modeFlags(options), ...(endpoint?.args ?? [])]
  if (options.model !== undefined && !endpoint) args.push('--model', options.model)
  if (options.systemPrompt !== undefined) args.push('--rule', options.systemPrompt)
  if (options.forkSessionId !== undefined) args.push('--fork', options.forkSessionId)
  for (const tool of options.allowedTools ?? []) args.push('--allow', tool)
  for (const tool of options.disallowedTools ?? []) args.push('--exclude', tool)
  return {
    command: 'cn',
    args: [...args, '--', joinPrompt(options.prompt)],
    env: { ...endpoint?.env, ...options.env },
    cwd: options.cwd ?? process.cwd(),
    usePty: false,
    closeStdinAfterSpawn: true,
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout ?? SILENCE_LIMIT_MS,
    files: endpoint?.files ?? [],
  }
}
