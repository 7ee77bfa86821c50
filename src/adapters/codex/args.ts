import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { versionedUrl } from '../../core/endpoint.ts'
import { tomlLiteral } from '../../files/toml-literal.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { absoluteDirs, refuseUnsupported, usesExec, validate } from './options.ts'
import { promptContent, systemPromptPlace } from './prompt.ts'

/** One override of a setting, as the two arguments of the command line. */
export function setting(key: string, value: unknown): string[] {
  return ['-c', `${key}=${tomlLiteral(value)}`]
}

/** Without `env` and headers: a server that has any runs through the app server, which reads them from stdin. */
function nativeMcpServer(server: McpServerConfig): object {
  return 'command' in server ? { command: server.command, args: server.args ?? [] } : { url: server.url }
}

export function systemPromptFlags(options: RunOptions, files: RunFile[]): string[] {
  const { systemPrompt = '' } = options
  switch (systemPromptPlace(options)) {
    case 'developer':
      return setting('developer_instructions', systemPrompt)
    case 'base':
      files.push({ name: 'instructions.md', content: systemPrompt })
      // A literal string: the path that takes this place may have backslashes.
      return ['-c', `model_instructions_file='{file:instructions.md}'`]
    default:
      return []
  }
}

function schemaFlags({ outputSchema }: RunOptions, files: RunFile[]): string[] {
  if (!outputSchema) return []
  files.push({ name: 'output-schema.json', content: JSON.stringify(outputSchema) })
  return ['--output-schema', '{file:output-schema.json}']
}

function execFlags(options: RunOptions, files: RunFile[]): string[] {
  const { model, approvalMode, noSession, thinkingEffort } = options
  return [
    ...flag('--model', model),
    ...(approvalMode === 'deny' ? ['--sandbox', 'read-only'] : []),
    ...(noSession ? ['--ephemeral'] : []),
    ...absoluteDirs(options).flatMap((directory) => ['--add-dir', directory]),
    ...(thinkingEffort ? setting('model_reasoning_effort', thinkingEffort) : []),
    ...systemPromptFlags(options, files),
    ...schemaFlags(options, files),
    ...mcpFlags(options),
  ]
}

export function mcpFlags({ mcpServers = [] }: RunOptions): string[] {
  return mcpServers.flatMap((server) => setting(`mcp_servers.${server.name}`, nativeMcpServer(server)))
}

/** All else of a live run travels in the protocol. */
function serverFlags(options: RunOptions): string[] {
  const flags: string[] = []
  const directories = absoluteDirs(options)
  if (directories.length > 0) flags.push(...setting('sandbox_workspace_write.writable_roots', directories))
  // The tool that asks the user is off outside plan mode. It comes on when somebody is there to answer.
  if ((options.onInputRequired || options.keepOpen) && !options.nonInteractive) {
    flags.push(...setting('features.default_mode_request_user_input', true))
  }
  return flags
}

const ENDPOINT_KEY = 'AMUX_ENDPOINT_KEY'

/** Model traffic to another endpoint, by overrides on the command line; the key only in the environment. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  const provider = {
    name: 'agent-mux endpoint',
    base_url: versionedUrl(endpoint, 'openai-responses'),
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

/**
 * The live form is the app server, which gets its prompt as the dialogue's first turn; the one-shot form is exec,
 * which reads the prompt from stdin. It is never on the command line.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseUnsupported(options)
  validate(options)
  const isExec = usesExec(options)
  const files: RunFile[] = []
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  const endpointFlags = endpoint?.args ?? []
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: isExec
      ? ['exec', '--json', '--skip-git-repo-check', ...execFlags(options, files), ...endpointFlags, '-']
      : ['app-server', ...endpointFlags, ...serverFlags(options)],
    env: endpoint?.env,
    stdin: isExec ? promptContent(options) : undefined,
    files,
  })
}
