import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, parseRecords } from '../../core/json.ts'
import { inMarketplace, offerOf } from '../kit/plugin-lists.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  /** One of a local marketplace is read from its folder, and removing it switches it off. */
  installed: (stdout) =>
    (parseRecords(stdout) ?? []).flatMap(({ name, marketplace, version, enabled, source }): PluginFacts[] => {
      const isThere = source !== 'builtin' && (source !== 'live' || enabled === true)
      const own = asString(name)
      if (own === undefined || !isThere) return []
      const pluginId = inMarketplace(own, asString(marketplace))
      return [{ pluginId, name: own, version: asString(version) ?? '', enabled: enabled === true }]
    }),
  marketplaces: {
    args: ['plugin', 'marketplace', 'list', '--json'],
    read: (stdout) => (parseRecords(stdout) ?? []).flatMap(({ name }) => asString(name) ?? []),
  },
  available: (stdout) => (parseRecords(stdout) ?? []).flatMap(offerOf),
}
