import type { AgentConfig, AgentConfigSchema } from '../contract/config.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { McpServerConfig } from '../contract/run-options.ts'
import { isRecord } from '../core/json.ts'
import type { Registry } from './registry.ts'

/**
 * `mux.config`: the agents' own settings. Files are read at each call, and changed without losing a comment. The project
 * in `cwd` (default: that of this process) counts over the user's settings. A change goes to the file of the project that
 * `cwd` names, where it has one, and otherwise to the user's.
 */
export interface ConfigManager {
  get(agent: AgentName, cwd?: string): Promise<AgentConfig>
  /** By a path such as `model`, or a key of the agent's own files, such as `permissions.deny`. */
  getField(agent: AgentName, path: string, cwd?: string): Promise<unknown>
  /** Writes what `config` mentions: tables merge, lists and scalars replace. */
  set(agent: AgentName, config: Partial<AgentConfig>, cwd?: string): Promise<void>
  setField(agent: AgentName, path: string, value: unknown, cwd?: string): Promise<void>
  schema(agent: AgentName): Promise<AgentConfigSchema>
  getMcpServers(agent: AgentName, cwd?: string): Promise<McpServerConfig[]>
  addMcpServer(agent: AgentName, server: McpServerConfig, cwd?: string): Promise<void>
  removeMcpServer(agent: AgentName, name: string, cwd?: string): Promise<void>
}

/** `mux.config`. */
export function configManager(registry: Registry): ConfigManager {
  const get = async (agent: AgentName, cwd?: string) => (await registry.load(agent)).readConfig(cwd)
  const set = async (agent: AgentName, config: Partial<AgentConfig>, cwd?: string) =>
    (await registry.load(agent)).writeConfig(config, cwd)
  const schema = async (agent: AgentName) => (await registry.load(agent)).configSchema
  // By the one file that is written: the user's servers must not end up in the file of a project.
  const edit = async (agent: AgentName, change: (current: AgentConfig) => Partial<AgentConfig>, cwd?: string) => {
    const adapter = await registry.load(agent)
    if (adapter.editConfig) await adapter.editConfig(change, cwd)
    else await adapter.writeConfig(change(await adapter.readConfig(cwd)), cwd)
  }
  const serversOf = async (agent: AgentName, cwd?: string) => (await get(agent, cwd)).mcpServers ?? []
  return {
    get,
    set,
    schema,
    getMcpServers: serversOf,
    getField: async (agent, path, cwd) => {
      const keys = keysOf(path)
      const { native, ...normalized } = await get(agent, cwd)
      return valueAt(normalized, keys) ?? valueAt(native, keys[0] === 'native' ? keys.slice(1) : keys)
    },
    setField: async (agent, path, value, cwd) => {
      const [first = '', ...rest] = keysOf(path)
      const { fields } = await schema(agent)
      const isOurs = first === 'native' || fields.some((field) => field.normalized && field.path === first)
      const keys = isOurs ? [first, ...rest] : ['native', first, ...rest]
      await set(agent, tableOf(keys, value), cwd)
    },
    addMcpServer: (agent, server, cwd) =>
      edit(agent, ({ mcpServers = [] }) => ({ mcpServers: withServer(agent, mcpServers, server) }), cwd),
    removeMcpServer: (agent, name, cwd) =>
      edit(agent, ({ mcpServers = [] }) => ({ mcpServers: withoutServer(agent, mcpServers, name) }), cwd),
  }
}

function withServer(agent: AgentName, servers: McpServerConfig[], server: McpServerConfig): McpServerConfig[] {
  if (!servers.some(({ name }) => name === server.name)) return [...servers, server]
  const hint = 'Remove it first, or take another name.'
  throw new AgentMuxError('CONFIG_ERROR', `${agent} has an MCP server "${server.name}" already`, { hint })
}

function withoutServer(agent: AgentName, servers: McpServerConfig[], name: string): McpServerConfig[] {
  const left = servers.filter((server) => server.name !== name)
  if (left.length < servers.length) return left
  const known = servers.map((server) => server.name).join(', ') || 'none'
  throw new AgentMuxError('CONFIG_ERROR', `${agent} has no MCP server "${name}"`, { hint: `It has: ${known}.` })
}

function keysOf(path: string): string[] {
  const keys = path.split('.')
  if (!keys.some((key) => key === '' || key === '__proto__')) return keys
  throw new AgentMuxError('CONFIG_ERROR', `"${path}" is not the path of a setting`)
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
}

function tableOf(keys: readonly string[], value: unknown): Record<string, unknown> {
  return keys.reduceRight<Record<string, unknown>>((inner, key, index) => {
    return { [key]: index === keys.length - 1 ? value : inner }
  }, {})
}
