import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, parseRecords } from '../../core/json.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  /** CLI 0.61 prints the list to stderr, where warnings may come before it. */
  installed: (_stdout, stderr) =>
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
    ),
}
