import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointOverride, EndpointProtocol, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { LogFile, SpawnArgs } from '../../contract/spawn.ts'
import { protocolOf, versionedUrl } from '../../core/endpoint.ts'
import { joinPrompt } from '../kit/prompt.ts'
import { flag, SILENCE_LIMIT_MS, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

const PROVIDERS: Partial<Record<EndpointProtocol, string>> = {
  'openai-chat': 'openai',
  anthropic: 'anthropic',
}

/** With `--auto` no list of tools counts. */
function approvalFlags({ approvalMode, disallowedTools = [] }: RunOptions): string[] {
  if (approvalMode === 'yolo') return disallowedTools.length > 0 ? ['--allow', '*'] : ['--auto']
  return approvalMode === 'deny' ? ['--readonly'] : []
}

function refuseUnsupported(options: RunOptions): void {
  if (options.mcpServers?.length && !options.endpoint) {
    throw new CapabilityError('continue', 'mcpServers without endpoint', { hint: 'Add them to config.yaml.' })
  }
}

function nativeMcpServer(server: McpServerConfig): object {
  if ('command' in server) {
    return { name: server.name, command: server.command, args: server.args ?? [], env: server.env }
  }
  const headers = server.headers && { headers: server.headers }
  return { name: server.name, type: server.transport, url: server.url, requestOptions: headers }
}

/** A configuration of this run only. JSON is YAML, too. */
export function endpointOverride(endpoint: EndpointOverride, options: Partial<RunOptions> = {}): EndpointPlan {
  const protocol = protocolOf(manifest.capabilities, endpoint)
  const provider = PROVIDERS[protocol]
  const { apiKey } = endpoint
  const apiBase = versionedUrl(endpoint, protocol)
  const name = options.model ?? 'default'
  const model = { name, provider, model: name, apiBase, apiKey, capabilities: ['tool_use'], roles: ['chat'] }
  const config = {
    name: 'agent-mux',
    version: '1.0.0',
    schema: 'v1',
    models: [model],
    mcpServers: options.mcpServers?.map(nativeMcpServer),
  }
  return {
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    args: ['--config', '{file:config.yaml}'],
    files: [{ name: 'config.yaml', content: JSON.stringify(config) }],
  }
}

/** It reports its retries only in a log, which all its processes share: each begins with where it works (1.5). */
const LOG: LogFile = {
  path: '~/.continue/logs/cn*.log',
  lines: ': (?:Retry attempt|Starting file index in directory: )',
}

/** The CLI reads stdin only from a terminal, so the prompt is on the command line. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseUnsupported(options)
  const endpoint = options.endpoint && endpointOverride(options.endpoint, options)
  const { model, systemPrompt, forkSessionId, allowedTools = [], disallowedTools = [] } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '-p',
      '--verbose',
      ...approvalFlags(options),
      ...(endpoint?.args ?? flag('--model', model)),
      ...flag('--rule', systemPrompt),
      ...flag('--fork', forkSessionId),
      ...allowedTools.flatMap((tool) => ['--allow', tool]),
      ...disallowedTools.flatMap((tool) => ['--exclude', tool]),
      '--',
      joinPrompt(options.prompt),
    ],
    env: endpoint?.env,
    stdin: '',
    // It tries again for minutes, without a word where its log cannot be read.
    inactivityTimeout: SILENCE_LIMIT_MS,
    files: endpoint?.files,
    logFile: LOG,
  })
}
