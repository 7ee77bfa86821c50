import type { AgentAdapter } from '../contract/adapter.ts'
import { AgentMuxError, CapabilityError, isAgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type {
  InstalledPlugin,
  PluginBrowseOptions,
  PluginDetail,
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
  /** Which sources of the last search or browse failed, and why: what they have is missing from its answer. */
  warnings: readonly string[] = []

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
    const named =
      agents ??
      this.#registry.entries().flatMap(({ agent, capabilities }) => (capabilities.pluginSearchCmd ? agent : []))
    const asked = await Promise.allSettled(
      named.map(async (agent) => (await this.#able(agent, 'searchPlugins')).searchPlugins(query, options)),
    )
    this.warnings = asked.flatMap((one, index) => {
      if (one.status === 'fulfilled') return []
      if (agents !== undefined && isCallersFault(one.reason)) throw one.reason
      return `The plugins of ${named[index]} could not be searched: ${messageOf(one.reason)}`
    })
    const byId = new Map<string, PluginListing>()
    for (const listing of asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))) {
      const known = byId.get(listing.pluginId)
      byId.set(listing.pluginId, known ? { ...known, agents: [...known.agents, ...listing.agents] } : listing)
    }
    return [...byId.values()].slice(0, Math.min(Math.max(limit, 1), MAX_LIMIT))
  }

  async browse(options: PluginBrowseOptions = {}): Promise<PluginListing[]> {
    const { sortBy, limit = DEFAULT_LIMIT } = options
    const found = await this.search('', { ...options, limit: MAX_LIMIT })
    const downloads = ({ weeklyDownloads }: PluginListing) => (sortBy === 'downloads' ? (weeklyDownloads ?? -1) : 0)
    const sorted = found.sort((a, b) => downloads(b) - downloads(a) || a.name.localeCompare(b.name))
    return sorted.slice(0, Math.min(Math.max(limit, 1), MAX_LIMIT))
  }

  async info(pluginId: string, agent?: AgentName): Promise<PluginDetail> {
    const agents = agent === undefined ? undefined : [agent]
    const offers = await this.search('', { agents, limit: MAX_LIMIT })
    const offer =
      offers.find((listing) => listing.pluginId === pluginId) ?? offers.find(({ name }) => name === pluginId)
    if (!offer) {
      throw new AgentMuxError('PLUGIN_ERROR', `No marketplace has "${pluginId}"`, {
        hint: 'amux plugin browse AGENT lists what there is. Add a marketplace with the CLI of the agent.',
      })
    }
    const isThis = (plugin: InstalledPlugin) => plugin.pluginId === offer.pluginId || plugin.name === offer.name
    const lists = await Promise.allSettled(offer.agents.map((one) => this.list(one)))
    const installed = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value.filter(isThis) : []))
    return { ...offer, versions: offer.latestVersion === '' ? [] : [offer.latestVersion], installed }
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

/** The agent that was named has no plugins, or is not there: an empty list would hide that. */
function isCallersFault(error: unknown): boolean {
  return isAgentMuxError(error) && ['CAPABILITY_ERROR', 'AGENT_NOT_INSTALLED', 'UNKNOWN_AGENT'].includes(error.code)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

type PluginMethod = 'listPlugins' | 'installPlugin' | 'uninstallPlugin' | 'updatePlugin' | 'searchPlugins'

function has<Method extends PluginMethod>(
  adapter: AgentAdapter,
  method: Method,
): adapter is AgentAdapter & Required<Pick<AgentAdapter, Method>> {
  return adapter[method] !== undefined
}
