import type { PluginFacts } from '../../contract/plugins.ts'
import { asRecords, asString, parseRecord } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

/** Those that it brings along are its own. */
export const plugins: PluginReader = (stdout) =>
  asRecords(parseRecord(stdout)?.plugins).flatMap(
    ({ id, name, version, description, enabled, origin }): PluginFacts[] => {
      const pluginId = asString(id)
      if (pluginId === undefined || origin === 'bundled') return []
      const told = { description: asString(description), enabled: enabled === true }
      return [{ pluginId, name: asString(name) ?? pluginId, version: asString(version) ?? '', ...told }]
    },
  )
