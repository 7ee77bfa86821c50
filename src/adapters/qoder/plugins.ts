import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, asTime, parseRecords } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

export const plugins: PluginReader = (stdout) =>
  (parseRecords(stdout) ?? []).flatMap(({ id, version, enabled, installedAt, description }): PluginFacts[] => {
    const pluginId = asString(id)
    if (pluginId === undefined) return []
    const told = { enabled: enabled === true, installedAt: asTime(installedAt), description: asString(description) }
    return [{ pluginId, version: asString(version) ?? '', ...told }]
  })
