import type { PluginFormat } from '../contract/capabilities.ts'
import { AgentMuxError, CapabilityError, isAgentMuxError } from '../contract/errors.ts'
import type { Inquiry } from '../contract/inquiry.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type {
  InstalledPlugin,
  PluginFacts,
  PluginInstallOptions,
  PluginListing,
  PluginOffer,
  PluginSearchOptions,
} from '../contract/plugins.ts'
import { answered } from './answered.ts'

/** The `plugins.ts` of an adapter: pure readings of what the subcommands print. The manifest names the subcommands. */
export interface PluginReaders {
  /** What is installed, from what the list command prints. */
  installed?(stdout: string, stderr: string): PluginFacts[]
  /** What the install command prints, where there is no command that lists. */
  added?(stdout: string): PluginFacts[]
  /** What can be installed, from what the search command prints. */
  available?(stdout: string, marketplace?: string): PluginOffer[]
  /** Where the search command needs the name of the marketplace: their names. */
  marketplaces?: Inquiry<string[]>
}

type Ask = <Answer>(inquiry: Inquiry<Answer>) => Promise<Answer>

/** The plugins of one agent, through the subcommands that its manifest names. Nothing is written by us. */
export class PluginCommands {
  readonly #manifest: AdapterManifest
  readonly #readers: PluginReaders
  readonly #ask: Ask

  constructor(manifest: AdapterManifest, readers: PluginReaders, ask: Ask) {
    this.#manifest = manifest
    this.#readers = readers
    this.#ask = ask
  }

  async list(): Promise<InstalledPlugin[]> {
    const { installed } = this.#readers
    const args = this.#args(installed && this.#manifest.capabilities.pluginListCmd, 'listing plugins')
    const found = await this.#ask({ args, read: (stdout, stderr) => installed?.(stdout, stderr) ?? null })
    return found.map((facts) => complete(facts, this.#manifest))
  }

  async install(pluginId: string, options: PluginInstallOptions = {}): Promise<InstalledPlugin> {
    const { capabilities, plugins } = this.#manifest
    const args = this.#args(capabilities.pluginInstallCmd, 'installing plugins')
    const consent = options.skipVerify ? plugins?.consent : undefined
    const flags = [...this.#scopeFlags(options), ...(consent?.args ?? [])]
    const { added } = this.#readers
    const before = added ? [] : await this.list()
    const reported = await this.#run([...args, ...flags, named(pluginId)], consent?.env)
    const after = added ? added(reported).map((facts) => complete(facts, this.#manifest)) : await this.list()
    const isNew = (plugin: InstalledPlugin) => before.every((one) => one.pluginId !== plugin.pluginId)
    const installed = after.find(isNew) ?? after.find((plugin) => isCalled(plugin, pluginId))
    if (installed) return installed
    throw new AgentMuxError('PLUGIN_ERROR', `The CLI does not list "${pluginId}" after it was installed`)
  }

  async uninstall(pluginId: string): Promise<void> {
    const args = this.#args(this.#manifest.capabilities.pluginUninstallCmd, 'uninstalling plugins')
    await this.#run([...args, named(pluginId)])
  }

  async update(pluginId: string): Promise<InstalledPlugin> {
    const args = this.#args(this.#manifest.capabilities.pluginUpdateCmd, 'updating plugins')
    await this.#run([...args, named(pluginId)])
    const updated = (await this.list()).find((plugin) => isCalled(plugin, pluginId))
    if (updated) return updated
    throw new AgentMuxError('PLUGIN_ERROR', `There is no plugin "${pluginId}"`)
  }

  /** What can be installed, where all of its words are in the name or the description. */
  async search(query: string, { format, registry, limit }: PluginSearchOptions = {}): Promise<PluginListing[]> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const fits = (listing: PluginListing) => {
      const text = [listing.pluginId, listing.name, listing.description].join(' ').toLowerCase()
      return words.every((word) => text.includes(word))
    }
    const listings = (await this.#offers()).map((offer) => completeListing(offer, this.#manifest))
    return listings
      .filter((listing) => fits(listing) && (format === undefined || listing.formats.includes(format)))
      .filter((listing) => registry === undefined || listing.registry === registry)
      .slice(0, limit)
  }

  async #offers(): Promise<PluginOffer[]> {
    const { available, marketplaces } = this.#readers
    const args = this.#args(available && this.#manifest.capabilities.pluginSearchCmd, 'listing what can be installed')
    const ask = (names: readonly string[]) =>
      this.#ask({ args: [...args, ...names], read: (stdout) => available?.(stdout, names[0]) ?? null })
    if (!marketplaces) return ask([])
    const names = await this.#ask(marketplaces)
    return answered(await Promise.allSettled(names.map((name) => ask([name]))))
  }

  /** The words after the name of the program. */
  #args(command: string | undefined, what: string): string[] {
    if (command === undefined) throw new CapabilityError(this.#manifest.agent, what)
    return command.split(' ').slice(1)
  }

  #scopeFlags({ version, global }: PluginInstallOptions): readonly string[] {
    const { agent, plugins } = this.#manifest
    if (version !== undefined) {
      throw new CapabilityError(agent, 'a version apart from the name of a plugin', {
        hint: 'Name the version in the way of the agent, such as npm:name@1.0.0.',
      })
    }
    if (global === undefined || (global && !plugins?.scopes)) return []
    if (!plugins?.scopes) throw new CapabilityError(agent, 'plugins of a project')
    return global ? plugins.scopes.global : plugins.scopes.project
  }

  async #run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
    try {
      return await this.#ask({ args, env, read: (stdout) => stdout })
    } catch (error) {
      if (!isAgentMuxError(error) || error.code === 'AGENT_NOT_INSTALLED') throw error
      throw new AgentMuxError('PLUGIN_ERROR', error.message, { hint: error.hint, cause: error })
    }
  }
}

function named(pluginId: string): string {
  if (typeof pluginId === 'string' && pluginId !== '' && !pluginId.startsWith('-')) return pluginId
  throw new AgentMuxError('VALIDATION_ERROR', `"${pluginId}" is not the name of a plugin`)
}

function isCalled(plugin: InstalledPlugin, name: string): boolean {
  return plugin.pluginId === name || plugin.name === name
}

function formatOf({ capabilities }: AdapterManifest): PluginFormat {
  return capabilities.pluginFormats.find((one) => one !== 'mcp-server') ?? 'skill-directory'
}

function nameOf(pluginId: string): string {
  return pluginId.replace(/(?<=.)@.*$/, '')
}

function complete(facts: PluginFacts, manifest: AdapterManifest): InstalledPlugin {
  const { agent } = manifest
  return { name: nameOf(facts.pluginId), version: '', agent, format: formatOf(manifest), enabled: true, ...facts }
}

function completeListing(offer: PluginOffer, manifest: AdapterManifest): PluginListing {
  const { pluginId, name = nameOf(pluginId), latestVersion = '', description = '', author = '', registry = '' } = offer
  const { tags = [], url = '', agents = [manifest.agent], formats = [formatOf(manifest)] } = offer
  return { ...offer, pluginId, name, latestVersion, description, author, registry, tags, url, agents, formats }
}
