import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, asTime, parseRecords } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

export const plugins: PluginReader = (stdout) =>
  (parseRecords(stdout) ?? []).flatMap(({ id, version, enabled, installedAt }): PluginFacts[] => {
    const pluginId = asString(id)
    if (pluginId === undefined) return []
    return [{ pluginId, version: asString(version) ?? '', enabled: enabled === true, installedAt: asTime(installedAt) }]
  })
