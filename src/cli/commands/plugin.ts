import type { InstalledPlugin, PluginDetail, PluginListing, PluginManager } from '../../contract/plugins.ts'
import { AGENT_FLAG, choice, defineCommand, refuseExtra, usageError } from '../command.ts'
import type { Output } from '../output.ts'
import { withProgress } from '../progress.ts'
import { headings, table } from '../table.ts'

const MOST = 200
const ACTIONS = ['list', 'browse', 'info', 'install', 'uninstall', 'update'] as const

export const command = defineCommand({
  usage: 'plugin list AGENT | browse AGENT [WORDS] | info|install|uninstall AGENT PLUGIN | update AGENT [PLUGIN]',
  about: `
Plugins and extensions of an agent, through its own command line; amux writes none of its files. What a plugin is called
is the agent's affair: name@marketplace, a folder, an npm package. Where the agent would ask whether a source is to be
trusted, say --skip-verify to answer for it. \`browse\` shows what the marketplaces have that the agent knows; a new one is
added with its own command line.`,
  flags: {
    ...AGENT_FLAG,
    global: { type: 'boolean', about: 'For you, in all projects' },
    project: { type: 'boolean', about: 'For this project only' },
    'skip-verify': { type: 'boolean', about: 'Trust the source of the plugin' },
  },
  examples: [
    'amux plugin list claude',
    'amux plugin browse claude format',
    'amux plugin install claude formatter@my-marketplace',
    'amux plugin install gemini ./my-extension --skip-verify',
    'amux plugin update claude',
  ],
  async run({ args, flags }, { output, client }) {
    const action = choice('The action', args[0], ACTIONS)
    const [agent, pluginId, ...more] = flags.agent === undefined ? args.slice(1) : [flags.agent, ...args.slice(1)]
    if (action === undefined || agent === undefined) throw usageError('Say what to do: amux plugin list claude')
    refuseExtra(more, 0)
    if (flags.global && flags.project) throw usageError('--global and --project exclude each other')
    const { plugins } = await client(flags)
    const named = () => {
      if (pluginId !== undefined) return pluginId
      throw usageError(`Name the plugin: amux plugin ${action} ${agent} PLUGIN`)
    }
    const busy = <Value>(promise: Promise<Value>) => withProgress(output, `Asking ${agent}`, promise)
    switch (action) {
      case 'list': {
        const installed = await busy(plugins.list(agent))
        output.result(installed, listText(installed, output))
        return 0
      }
      case 'browse': {
        const found = await busy(plugins.search(pluginId ?? '', { agents: [agent], limit: MOST }))
        for (const warning of plugins.warnings) output.note(warning)
        output.result(found, offersText(found, output))
        return 0
      }
      case 'info': {
        const detail = await busy(plugins.info(named(), agent))
        output.result(detail, detailText(detail))
        return 0
      }
      case 'install': {
        const global = flags.global ? true : flags.project ? false : undefined
        const skipVerify = flags['skip-verify']
        const installed = await busy(plugins.install(agent, named(), { global, skipVerify }))
        output.result(installed, `Installed ${installed.pluginId} ${installed.version}`.trimEnd())
        return 0
      }
      case 'uninstall':
        await busy(plugins.uninstall(agent, named()))
        output.result({ pluginId: named() }, `Removed ${pluginId}`)
        return 0
      case 'update': {
        const updated = await busy(updates(plugins, agent, pluginId))
        output.result(updated, listText(updated, output))
        return 0
      }
    }
  },
})

async function updates(plugins: PluginManager, agent: string, pluginId?: string): Promise<InstalledPlugin[]> {
  return pluginId === undefined ? plugins.updateAll(agent) : [await plugins.update(agent, pluginId)]
}

function listText(installed: readonly InstalledPlugin[], output: Output): string {
  if (installed.length === 0) return 'No plugins are installed.'
  const header = headings(['PLUGIN', 'VERSION', '', 'ABOUT'], { whole: ['PLUGIN'], optional: ['VERSION', 'ABOUT'] })
  const rows = installed.map(({ pluginId, version, enabled, description }) => [
    pluginId,
    version === '' ? '-' : version,
    enabled ? '' : 'off',
    description ?? '',
  ])
  return table([header, ...rows], output.paint(), output.width)
}

function offersText(found: readonly PluginListing[], output: Output): string {
  if (found.length === 0) return 'Nothing like that is on offer.'
  const header = headings(['PLUGIN', 'VERSION', 'ABOUT'], { whole: ['PLUGIN'], optional: ['VERSION', 'ABOUT'] })
  const rows = found.map(({ pluginId, latestVersion, description }) => [pluginId, latestVersion || '-', description])
  return table([header, ...rows], output.paint(), output.width)
}

function detailText({ pluginId, latestVersion, description, registry, url, installed }: PluginDetail): string {
  const there = installed.map(({ agent, version }) => `Installed for ${agent} ${version}`.trimEnd())
  const source = registry === '' ? '' : `From ${registry}`
  return [`${pluginId} ${latestVersion}`.trimEnd(), description, source, url, ...there].filter(Boolean).join('\n')
}
