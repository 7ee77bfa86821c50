import type { PluginListing } from '../../contract/plugins.ts'
import { type Bench, type Check, must } from '../check.ts'
import { writePluginSample } from '../plugin-sample.ts'

/** Most providers are listed only for those who have a key for them. */
const KEYS = {
  ANTHROPIC_API_KEY: 'sk-ant-amux-verify-not-a-real-key',
  OPENAI_API_KEY: 'sk-amux-verify-not-a-real-key',
  FACTORY_API_KEY: 'fk-amux-verify-not-a-real-key',
}

async function checkModels({ adapterWith, alternativeModel, cwd, setUpModels }: Bench): Promise<void> {
  setUpModels()
  const adapter = await adapterWith(KEYS)
  const found = (await adapter.discoverModels?.(cwd)) ?? []
  must(found.length > 0, 'its CLI reported no model')
  for (const { modelId, source } of found) {
    must(/^[\w~][\w./:@~-]*$/.test(modelId), `${JSON.stringify(modelId)} is not the name of a model`)
    must(source === 'remote', `${modelId} is not what the CLI reported`)
  }
  // Without its provider: the same model may be reported as that of another.
  const plain = (modelId: string) => modelId.slice(modelId.lastIndexOf('/') + 1)
  const expected = [...adapter.models.map(({ modelId }) => plain(modelId)), alternativeModel]
  const seen = found.map(({ modelId }) => plain(modelId))
  must(
    seen.some((modelId) => expected.includes(modelId)),
    `of the models that we know, it reported none, but ${seen.slice(0, 5).join(', ')}`,
  )
}

/** Nobody is signed in on the bench: the CLI has to take the question, and to say that there is no plan. */
async function checkQuota({ adapterWith }: Bench): Promise<void> {
  const adapter = await adapterWith({})
  const status = await adapter.getQuotaStatus?.()
  must(status === null, `it reports a plan that nobody has: ${JSON.stringify(status)}`)
}

/** What the marketplace of the sample offers has to be reported, in the words by which it can be installed. */
function checkOffers(offers: readonly PluginListing[], source: string): void {
  const ids = offers.map(({ pluginId }) => pluginId)
  must(ids.length > 0, 'no plugin can be installed')
  if (source.includes('@')) must(ids.includes(source), `what can be installed is ${ids.slice(0, 5).join(', ')}`)
}

async function checkPlugins({ adapterWith, agent, home, execute }: Bench): Promise<void> {
  const adapter = await adapterWith({})
  const { pluginListCmd, pluginUpdateCmd, pluginUninstallCmd, pluginSearchCmd } = adapter.capabilities
  const { setUp, source } = writePluginSample(agent, home)
  if (setUp) await execute(setUp)
  const ids = async () => ((await adapter.listPlugins?.()) ?? []).map(({ pluginId }) => pluginId)
  if (pluginListCmd) must((await ids()).length === 0, `a new home has the plugins ${(await ids()).join(', ')}`)
  if (pluginSearchCmd) checkOffers((await adapter.searchPlugins?.('')) ?? [], source)
  const installed = await adapter.installPlugin?.(source, { skipVerify: true, global: true })
  must(installed !== undefined && /hello/i.test(installed.name), `what was installed is ${JSON.stringify(installed)}`)
  if (pluginListCmd) must((await ids()).includes(installed.pluginId), `${installed.pluginId} is not in the list`)
  if (pluginUpdateCmd) await adapter.updatePlugin?.(installed.pluginId)
  if (!pluginUninstallCmd) return
  await adapter.uninstallPlugin?.(installed.pluginId)
  if (pluginListCmd) must((await ids()).length === 0, `after it was removed, the list is ${(await ids()).join(', ')}`)
}

export const plugins: Check = {
  name: 'plugins',
  title: 'finding, installing, listing, updating and removing a plugin',
  scenario: 'text',
  applies: (c) => c.supportsPlugins,
  run: checkPlugins,
}

/** What a CLI is asked outside of any run. */
export const questions: readonly Check[] = [
  {
    name: 'models',
    title: 'the models that its CLI tells',
    scenario: 'text',
    applies: (c) => c.supportsModelDiscovery ?? false,
    run: checkModels,
  },
  {
    name: 'quota-question',
    title: 'asking its CLI for the plan that is used',
    scenario: 'text',
    applies: (c) => c.supportsQuota ?? false,
    run: checkQuota,
  },
  plugins,
]
