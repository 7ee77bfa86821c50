import { existsSync } from 'node:fs'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import { libraryUrl, protocolOf } from '../../core/endpoint.ts'
import { manifest } from './manifest.ts'

/** What the endpoint of a run is called among the providers. */
const PROVIDER = 'amux'

const TRANSPORTS: Readonly<Record<string, string>> = { 'openai-chat': 'chat_completions' }

/** By this name a model is asked for at the endpoint of the run, wherever the session was before. */
export function endpointModel(model: string): string {
  return `custom:${PROVIDER}:${model}`
}

/**
 * A session is opened at the endpoint that it was at last, and that provider must be there (0.19). The key of this
 * endpoint is not for that one; the model is set before the first turn, and with it the endpoint.
 */
const NO_KEY = { api_key: 'no-key-required' }

export function endpointSettings(endpoint: EndpointOverride, model?: string): object {
  const protocol = protocolOf(manifest.capabilities, endpoint)
  const { apiKey } = endpoint
  const provider = { base_url: libraryUrl(endpoint, protocol), transport: TRANSPORTS[protocol] }
  return {
    model: { provider: PROVIDER, ...(model === undefined ? {} : { default: model }) },
    providers: {
      [PROVIDER]: { ...provider, ...(apiKey ? { api_key: apiKey } : {}) },
      custom: { ...provider, ...NO_KEY },
    },
  }
}

/** JSON is YAML. */
export function settingsFile(settings: object): RunFile {
  return { name: 'settings/config.yaml', content: JSON.stringify(settings) }
}

export const SETTINGS_VARIABLE = 'HERMES_MANAGED_DIR'
const ADMINISTRATORS = '/etc/hermes'

/**
 * Settings of an administrator are in the one place that wins over the user's (0.19). They have to stay there, so that a
 * run has none of its own then.
 */
function areManaged(options: RunOptions): boolean {
  const variable = { ...process.env, ...options.env }[SETTINGS_VARIABLE]
  return variable ? true : existsSync(ADMINISTRATORS)
}

/** Nobody decides on commands: not with a budget, where each waits until the request before it is counted. */
export function asksNobody({ approvalMode, maxCostUsd }: RunOptions): boolean {
  return approvalMode === 'yolo' && maxCostUsd === undefined
}

/**
 * The settings of one run, beside the user's own files, which stay as they are. `manual`: a person decides on commands,
 * where the agent by itself asks another model (`smart`).
 */
export function runSettings(options: RunOptions, files: RunFile[], more: object = {}): Record<string, string> {
  const { endpoint, model, mcpServers = [] } = options
  if (areManaged(options)) {
    const wanted = endpoint ? 'another endpoint' : mcpServers.length > 0 ? 'MCP servers' : undefined
    if (wanted === undefined) return {}
    throw new CapabilityError('hermes', wanted, {
      hint: `Its settings are managed by an administrator (${SETTINGS_VARIABLE} or ${ADMINISTRATORS}).`,
    })
  }
  const approvals = asksNobody(options) ? {} : MANUAL
  const servers = mcpServers.length > 0 ? { mcp_servers: Object.fromEntries(mcpServers.map(nativeServer)) } : {}
  files.push(
    settingsFile({ ...(endpoint ? endpointSettings(endpoint, model) : {}), ...approvals, ...servers, ...more }),
  )
  return { [SETTINGS_VARIABLE]: '{file:settings}' }
}

function nativeServer(server: McpServerConfig): [string, object] {
  if ('command' in server)
    return [server.name, { command: server.command, args: server.args ?? [], env: server.env ?? {} }]
  const transport = server.transport === 'sse' ? { transport: 'sse' } : {}
  return [server.name, { url: server.url, headers: server.headers ?? {}, ...transport }]
}

const MANUAL = { approvals: { mode: 'manual' } }
