import { expect, test } from 'vitest'
import { bareAdapter, capabilities } from '../../test/support/adapters.ts'
import type { InstalledPlugin, PluginListing } from '../contract/plugins.ts'
import { Plugins } from './plugins.ts'
import { Registry } from './registry.ts'

function offer(agent: string, name: string, weeklyDownloads?: number): PluginListing {
  const facts = { latestVersion: '1', description: '', author: '', registry: 'm', tags: [], url: '' }
  return { pluginId: `${name}@m`, name, ...facts, weeklyDownloads, agents: [agent], formats: ['skill-directory'] }
}

/** Two agents that know the same marketplace, one of which has a plugin installed, and one that cannot be asked. */
function plugins(): Plugins {
  const registry = new Registry([])
  const add = (agent: string, offers: () => PluginListing[], installed: InstalledPlugin[] = []) => {
    const able = capabilities(agent, { supportsPlugins: true, pluginSearchCmd: `${agent} search` })
    const unused = async () => {
      throw new Error('not asked for')
    }
    registry.register(
      bareAdapter(
        agent,
        {},
        {
          capabilities: able,
          searchPlugins: async () => offers(),
          listPlugins: async () => installed,
          installPlugin: unused,
          uninstallPlugin: unused,
        },
      ),
    )
  }
  const hello: InstalledPlugin = {
    ...{ pluginId: 'hello@m', name: 'hello', version: '0.9', agent: 'two' },
    ...{ format: 'skill-directory', enabled: true },
  }
  add('one', () => [offer('one', 'zebra', 3), offer('one', 'hello')])
  add('two', () => [offer('two', 'hello')], [hello])
  add('broken', () => {
    throw new Error('no network')
  })
  return new Plugins(registry)
}

test('one listing for what several agents can install; who cannot be asked is left out', async () => {
  expect((await plugins().search('')).map(({ pluginId, agents }) => [pluginId, agents])).toEqual([
    ['zebra@m', ['one']],
    ['hello@m', ['one', 'two']],
  ])
})

test('a source that fails gives an empty list and a warning, never a rejection', async () => {
  const manager = plugins()
  expect(await manager.search('', { agents: ['broken'] })).toEqual([])
  expect(manager.warnings).toEqual(['The plugins of broken could not be searched: no network'])
  expect(await manager.search('', { agents: ['one'] })).toHaveLength(2)
  expect(manager.warnings).toEqual([])
})

test('browsing sorts by name, or by downloads', async () => {
  const names = (found: PluginListing[]) => found.map(({ name }) => name)
  expect(names(await plugins().browse())).toEqual(['hello', 'zebra'])
  expect(names(await plugins().browse({ sortBy: 'downloads' }))).toEqual(['zebra', 'hello'])
  expect(names(await plugins().browse({ limit: 1 }))).toEqual(['hello'])
})

test('all that is known of one plugin, by its id or its name', async () => {
  expect(await plugins().info('hello@m')).toMatchObject({
    versions: ['1'],
    installed: [{ agent: 'two', version: '0.9' }],
  })
  expect(await plugins().info('zebra', 'one')).toMatchObject({ pluginId: 'zebra@m', installed: [] })
  await expect(plugins().info('gone')).rejects.toMatchObject({ code: 'PLUGIN_ERROR' })
})
