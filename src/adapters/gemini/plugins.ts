import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, parseRecords } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

/** CLI 0.61 prints the list to stderr, where warnings may stand before it. */
export const plugins: PluginReader = (_stdout, stderr) =>
  (parseRecords(/^\[.*^\]$/ms.exec(stderr)?.[0] ?? '') ?? []).flatMap(
    ({ name, version, isActive, description }): PluginFacts[] => {
      const pluginId = asString(name)
      if (pluginId === undefined) return []
      return [
        {
          pluginId,
          version: asString(version) ?? '',
          enabled: isActive !== false,
          description: asString(description),
        },
      ]
    },
  )
