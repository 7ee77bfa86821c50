import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { absoluteDirs, checkOptions, effortFor, firstPrompt, systemPromptPlace, usesExec } from './options.ts'
import { setting, toml } from './toml.ts'

const ENDPOINT_KEY = 'AMUX_ENDPOINT_KEY'

/** Model traffic to another endpoint, by overrides on the command line; the key only in the environment. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  if (endpoint.protocol !== undefined && endpoint.protocol !== 'openai-responses') {
    throw new CapabilityError('codex', `the ${endpoint.protocol} protocol`, { hint: 'Codex speaks openai-responses.' })
  }
  const base = endpoint.baseUrl.replace(/\/+$/, '')
  const provider = {
    name: 'agent-mux endpoint',
    base_url: base.endsWith('/v1') ? base : `${base}/v1`,
    env_key: ENDPOINT_KEY,
    wire_api: 'responses',
    request_max_retries: 2,
    stream_max_retries: 2,
  }
  return {
    env: { [ENDPOINT_KEY]: endpoint.apiKey },
    args: [...setting('model_provider', 'amux'), ...setting('model_providers.amux', provider)],
    files: [],
  }
}

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  checkOptions(options)
  const endpoint = options.endpoint ? endpointOverride(options.endpoint) : { env: {}, args: [], files: [] }
  const common = {
    command: 'codex',
    env: { ...options.env, ...endpoint.env },
    cwd: options.cwd ?? process.cwd(),
    usePty: false,
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
  }
  if (!usesExec(options)) return { ...common, args: ['app-server', ...endpoint.args, ...appServerSettings(options)] }
  const { args, files } = execArgs(options)
  const prompt = firstPrompt(options)
  return { ...common, args: [...args, ...endpoint.args, '-'], files, stdin: prompt, closeStdinAfterSpawn: true }
}

/** All else of a live run travels in the protocol. */
function appServerSettings(options: RunOptions): string[] {
  const args: string[] = []
  const dirs = absoluteDirs(options)
  if (dirs.length > 0) args.push(...setting('sandbox_workspace_write.writable_roots', dirs))
  // The tool that asks the user is off outside plan mode. It comes on when somebody is there to answer.
  if ((options.onInputRequired || options.keepOpen) && !options.nonInteractive) {
    args.push(...setting('features.default_mode_request_user_input', true))
  }
  return args
}

function execArgs(options: RunOptions): { args: string[]; files: RunFile[] } {
  const args = ['exec', '--json', '--skip-git-repo-check']
  const files: RunFile[] = []
  const effort = effortFor(options, options.model)
  const place = systemPromptPlace(options)
  if (options.model) args.push('--model', options.model)
  if (options.approvalMode === 'deny') args.push('--sandbox', 'read-only')
  if (options.noSession) args.push('--ephemeral')
  for (const dir of absoluteDirs(options)) args.push('--add-dir', dir)
  if (effort) args.push(...setting('model_reasoning_effort', effort))
  if (options.systemPrompt && place === 'developer')
    args.push(...setting('developer_instructions', options.systemPrompt))
  if (options.systemPrompt && place === 'base') {
    files.push({ name: 'instructions.md', content: options.systemPrompt })
    // A literal string: the path that takes this place may have backslashes.
    args.push('-c', `model_instructions_file='{file:instructions.md}'`)
  }
  if (options.outputSchema) {
    files.push({ name: 'output-schema.json', content: JSON.stringify(options.outputSchema) })
    args.push('--output-schema', '{file:output-schema.json}')
  }
  for (const server of options.mcpServers ?? []) args.push('-c', `mcp_servers.${server.name}=${publicServer(server)}`)
  return { args, files }
}

/** Without `env` and headers: a server that has any runs through the app server, which reads them from stdin. */
function publicServer(server: McpServerConfig): string {
  return 'command' in server ? toml({ command: server.command, args: server.args ?? [] }) : toml({ url: server.url })
}
