import type { PluginFacts } from '../../contract/plugins.ts'
import { asRecords, asString, parseRecord } from '../../core/json.ts'
import { availablePlugins } from '../kit/plugin-lists.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  installed: (stdout) =>
    asRecords(parseRecord(stdout)?.installed).flatMap(({ pluginId, name, version, enabled }): PluginFacts[] => {
      const id = asString(pluginId)
      if (id === undefined) return []
      return [{ pluginId: id, name: asString(name) ?? id, version: asString(version) ?? '', enabled: enabled === true }]
    }),
  available: availablePlugins,
}
