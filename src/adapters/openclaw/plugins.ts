import type { PluginFacts, PluginOffer } from '../../contract/plugins.ts'
import { asRecord, asRecords, asString, parseRecord } from '../../core/json.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  /** Those that it brings along are its own. */
  installed: (stdout) =>
    asRecords(parseRecord(stdout)?.plugins).flatMap(
      ({ id, name, version, description, enabled, origin }): PluginFacts[] => {
        const pluginId = asString(id)
        if (pluginId === undefined || origin === 'bundled') return []
        const reported = { description: asString(description), enabled: enabled === true }
        return [{ pluginId, name: asString(name) ?? pluginId, version: asString(version) ?? '', ...reported }]
      },
    ),
  /** Of its own feed; the part that came with the CLI where that cannot be reached. */
  available: (stdout) =>
    asRecords(parseRecord(stdout)?.entries).flatMap(({ label, version, install }): PluginOffer[] => {
      const pluginId = asString(asRecord(install)?.npmSpec)
      if (pluginId === undefined) return []
      return [{ pluginId, name: asString(label) ?? pluginId, latestVersion: asString(version), registry: 'npm' }]
    }),
}
