import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, parseRecords } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

export const plugins: PluginReader = (stdout) =>
  (parseRecords(stdout) ?? []).flatMap(({ name, version, status }): PluginFacts[] => {
    const pluginId = asString(name)
    if (pluginId === undefined || status === 'available') return []
    return [{ pluginId, version: asString(version) ?? '', enabled: status !== 'disabled' }]
  })
