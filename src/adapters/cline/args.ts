import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { versionedUrl } from '../../core/endpoint.ts'
import { addMcpFile } from '../kit/mcp-file.ts'
import { joinPrompt } from '../kit/prompt.ts'
import { flag, SILENCE_LIMIT_MS, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

function nativeMcpServer(server: McpServerConfig): object {
  if ('command' in server) return { command: server.command, args: server.args ?? [], env: server.env }
  const type = server.transport === 'sse' ? 'sse' : 'streamableHttp'
  return { type, url: server.url, headers: server.headers }
}

const PROVIDER = 'openai-compatible'

/** The provider in a file of its own, which the CLI reads in the place of the user's. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  const { apiKey } = endpoint
  const baseUrl = versionedUrl(endpoint, 'openai-chat')
  const provider = {
    settings: { provider: PROVIDER, apiKey, baseUrl, model: 'default' },
    updatedAt: '2026-01-01T00:00:00.000Z',
    tokenSource: 'manual',
  }
  const settings = { version: 1, lastUsedProvider: PROVIDER, modes: {}, providers: { [PROVIDER]: provider } }
  return {
    env: { CLINE_PROVIDER_SETTINGS_PATH: '{file:providers.json}', CLINE_API_KEY: '' },
    args: ['--provider', PROVIDER],
    files: [{ name: 'providers.json', content: JSON.stringify(settings) }],
  }
}

/** What its JSON form and its own screen have in common. */
export function optionArgs(options: RunOptions, files: RunFile[]): { args: string[]; env: Record<string, string> } {
  const { model, thinkingEffort, systemPrompt } = options
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  files.push(...(endpoint?.files ?? []))
  // Without the hub no daemon is left behind.
  const env: Record<string, string> = { CLINE_SESSION_BACKEND_MODE: 'local', ...endpoint?.env }
  const mcpFile = addMcpFile(files, options.mcpServers, nativeMcpServer)
  if (mcpFile !== null) env.CLINE_MCP_SETTINGS_PATH = mcpFile
  const args = [
    ...(endpoint?.args ?? []),
    ...flag('--model', model),
    ...flag('--thinking', thinkingEffort),
    ...flag('--system', systemPrompt),
  ]
  return { args, env }
}

/** The CLI takes its prompt from the command line only: with `--json` it never reads stdin. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const files: RunFile[] = []
  const { args, env } = optionArgs(options, files)
  const approval = options.approvalMode === 'deny' ? ['--auto-approve', 'false'] : []
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: ['--json', ...args, ...approval, '--', joinPrompt(options.prompt)],
    env,
    stdin: '',
    // Without credentials it hangs.
    inactivityTimeout: SILENCE_LIMIT_MS,
    files,
  })
}
