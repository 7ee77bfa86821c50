import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, parseRecords } from '../../core/json.ts'
import { offerOf } from '../kit/plugin-lists.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  installed: (stdout) =>
    (parseRecords(stdout) ?? []).flatMap(({ name, version, status }): PluginFacts[] => {
      const pluginId = asString(name)
      if (pluginId === undefined || status === 'available') return []
      return [{ pluginId, version: asString(version) ?? '', enabled: status !== 'disabled' }]
    }),
  available: (stdout) => (parseRecords(stdout) ?? []).filter(({ status }) => status === 'available').flatMap(offerOf),
}
