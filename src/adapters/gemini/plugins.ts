import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, parseRecords } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

export const plugins: PluginReader = (stdout) =>
  (parseRecords(stdout.trim()) ?? []).flatMap(({ name, version, isActive, description }): PluginFacts[] => {
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
  })
