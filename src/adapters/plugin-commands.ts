import { AgentMuxError, CapabilityError } from '../contract/errors.ts'
import type { Inquiry } from '../contract/inquiry.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { InstalledPlugin, PluginFacts, PluginInstallOptions } from '../contract/plugins.ts'

/** The `plugins.ts` of an adapter: what is installed, from what the list command prints. */
export type PluginReader = (stdout: string, stderr: string) => PluginFacts[]

type Ask = <Answer>(inquiry: Inquiry<Answer>) => Promise<Answer>

/** The plugins of one agent, through the subcommands that its manifest names. Nothing is written by us. */
export class PluginCommands {
  readonly #manifest: AdapterManifest
  readonly #read: PluginReader
  readonly #ask: Ask

  constructor(manifest: AdapterManifest, read: PluginReader, ask: Ask) {
    this.#manifest = manifest
    this.#read = read
    this.#ask = ask
  }

  async list(): Promise<InstalledPlugin[]> {
    const args = this.#args(this.#manifest.capabilities.pluginListCmd, 'listing plugins')
    const found = await this.#ask({ args, read: this.#read })
    return found.map((facts) => complete(facts, this.#manifest))
  }

  async install(pluginId: string, options: PluginInstallOptions = {}): Promise<InstalledPlugin> {
    const { capabilities, plugins } = this.#manifest
    const args = this.#args(capabilities.pluginInstallCmd, 'installing plugins')
    const consent = options.skipVerify ? plugins?.consent : undefined
    const flags = [...this.#scopeFlags(options), ...(consent?.args ?? [])]
    const before = await this.list()
    await this.#run([...args, ...flags, named(pluginId)], consent?.env)
    const after = await this.list()
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

  async #run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<void> {
    try {
      await this.#ask({ args, env, read: (stdout) => stdout })
    } catch (error) {
      if (!(error instanceof AgentMuxError)) throw error
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

function complete(facts: PluginFacts, { agent, capabilities }: AdapterManifest): InstalledPlugin {
  const format = capabilities.pluginFormats.find((one) => one !== 'mcp-server') ?? 'skill-directory'
  const name = facts.pluginId.replace(/(?<=.)@.*$/, '')
  return { name, version: '', agent, format, enabled: true, ...facts }
}
