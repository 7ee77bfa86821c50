import type { PluginFormat } from './capabilities.ts'
import type { AgentName } from './names.ts'

/** An installed plugin of an agent. */
export interface InstalledPlugin {
  pluginId: string
  name: string
  /** '' where the CLI does not report it. */
  version: string
  agent: AgentName
  format: PluginFormat
  description?: string
  installedAt?: number
  enabled: boolean
}

/** What `plugins.install` takes. */
export interface PluginInstallOptions {
  version?: string
  /** For the user, or for the project only; without it, as the CLI does by itself. */
  global?: boolean
  /** Answers for the user when the CLI asks whether a source is to be trusted. */
  skipVerify?: boolean
}

/** What `plugins.search` takes. */
export interface PluginSearchOptions {
  agents?: AgentName[]
  format?: PluginFormat
  registry?: string
  limit?: number
}

/** What `plugins.browse` takes. */
export interface PluginBrowseOptions extends PluginSearchOptions {
  /** By name without it; plugins that the registry does not describe come last. */
  sortBy?: 'downloads' | 'name'
}

/** A plugin that can be installed. */
export interface PluginListing {
  pluginId: string
  name: string
  latestVersion: string
  description: string
  author: string
  weeklyDownloads?: number
  agents: AgentName[]
  formats: PluginFormat[]
  registry: string
  tags: string[]
  url: string
}

/** A plugin with everything that is known about it. */
export interface PluginDetail extends PluginListing {
  readme?: string
  changelog?: string
  versions: string[]
  dependencies?: Record<string, string>
  agentMinVersions?: Record<string, string>
  /** Where it is installed already. */
  installed: InstalledPlugin[]
}

/** What a CLI reports about an installed plugin. */
export type PluginFacts = Pick<InstalledPlugin, 'pluginId'> & Partial<InstalledPlugin>

/** What a CLI reports about a plugin that can be installed. */
export type PluginOffer = Pick<PluginListing, 'pluginId'> & Partial<PluginListing>

/** What the subcommands for plugins take besides the name; they themselves are in the capabilities. */
export interface PluginFlags {
  /** Where a plugin goes. Without it there is one place only, the user's. */
  scopes?: { global: readonly string[]; project: readonly string[] }
  /** What spares the question whether a source is to be trusted. */
  consent?: { args: readonly string[]; env?: Readonly<Record<string, string>> }
}

/** `mux.plugins`: all through the agents' own CLIs. A CapabilityError where the CLI has no subcommand for it. */
export interface PluginManager {
  list(agent: AgentName): Promise<InstalledPlugin[]>
  install(agent: AgentName, pluginId: string, options?: PluginInstallOptions): Promise<InstalledPlugin>
  uninstall(agent: AgentName, pluginId: string): Promise<void>
  update(agent: AgentName, pluginId: string): Promise<InstalledPlugin>
  updateAll(agent: AgentName): Promise<InstalledPlugin[]>
  /** Which sources of the last search or browse failed, and why: what they have is missing from its answer. */
  readonly warnings: readonly string[]
  /**
   * What can be installed, by words of its name or description: from the marketplaces of all agents whose CLI reports them,
   * or of those that are named. One that fails is left out, with a warning; one that is named and is not installed, or
   * has no plugins, is an error.
   */
  search(query: string, options?: PluginSearchOptions): Promise<PluginListing[]>
  browse(options?: PluginBrowseOptions): Promise<PluginListing[]>
  /** Of one that can be installed, or is. Without an agent, of the first that knows it. */
  info(pluginId: string, agent?: AgentName): Promise<PluginDetail>
}
