import type { AgentAdapter } from '../contract/adapter.ts'
import { CapabilityError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type {
  InstalledPlugin,
  PluginInstallOptions,
  PluginListing,
  PluginManager,
  PluginSearchOptions,
} from '../contract/plugins.ts'
import type { Registry } from './registry.ts'

const DEFAULT_LIMIT = 25
const MAX_LIMIT = 200

/** `mux.plugins`. */
export class Plugins implements PluginManager {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  async list(agent: AgentName): Promise<InstalledPlugin[]> {
    return (await this.#able(agent, 'listPlugins')).listPlugins()
  }

  async install(agent: AgentName, pluginId: string, options?: PluginInstallOptions): Promise<InstalledPlugin> {
    return (await this.#able(agent, 'installPlugin')).installPlugin(pluginId, options)
  }

  async uninstall(agent: AgentName, pluginId: string): Promise<void> {
    return (await this.#able(agent, 'uninstallPlugin')).uninstallPlugin(pluginId)
  }

  async update(agent: AgentName, pluginId: string): Promise<InstalledPlugin> {
    return (await this.#able(agent, 'updatePlugin')).updatePlugin(pluginId)
  }

  /** One after another: two commands of a CLI may not write its files at the same time. */
  async updateAll(agent: AgentName): Promise<InstalledPlugin[]> {
    const updated: InstalledPlugin[] = []
    for (const { pluginId } of await this.list(agent)) updated.push(await this.update(agent, pluginId))
    return updated
  }

  async search(query: string, options: PluginSearchOptions = {}): Promise<PluginListing[]> {
    const { agents, limit = DEFAULT_LIMIT } = options
    const able = this.#registry
      .entries()
      .filter(({ agent, capabilities }) => agents?.includes(agent) ?? capabilities.pluginSearchCmd !== undefined)
    const found = await Promise.all(
      able.map(async ({ agent }) => {
        const adapter = await this.#able(agent, 'searchPlugins')
        return adapter.searchPlugins(query, options).catch(() => [])
      }),
    )
    const byId = new Map(found.flat().map((listing): [string, PluginListing] => [listing.pluginId, listing]))
    return [...byId.values()].slice(0, Math.min(Math.max(limit, 1), MAX_LIMIT))
  }

  /** The adapter, known to have the method. */
  async #able<Method extends PluginMethod>(
    agent: AgentName,
    method: Method,
  ): Promise<AgentAdapter & Required<Pick<AgentAdapter, Method>>> {
    const { capabilities, load } = this.#registry.get(agent)
    const adapter = capabilities.supportsPlugins ? await load() : null
    if (adapter && has(adapter, method)) return adapter
    throw new CapabilityError(agent, 'plugins')
  }
}

type PluginMethod = 'listPlugins' | 'installPlugin' | 'uninstallPlugin' | 'updatePlugin' | 'searchPlugins'

function has<Method extends PluginMethod>(
  adapter: AgentAdapter,
  method: Method,
): adapter is AgentAdapter & Required<Pick<AgentAdapter, Method>> {
  return adapter[method] !== undefined
}
