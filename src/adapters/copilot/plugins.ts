import type { PluginFacts } from '../../contract/plugins.ts'
import { asString, parseRecords } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

/** One of a local marketplace is read from its folder, and removing it switches it off. */
export const plugins: PluginReader = (stdout) =>
  (parseRecords(stdout) ?? []).flatMap(({ name, marketplace, version, enabled, source }): PluginFacts[] => {
    const isThere = source !== 'builtin' && (source !== 'live' || enabled === true)
    const own = asString(name)
    if (own === undefined || !isThere) return []
    const pluginId = marketplace ? `${own}@${marketplace}` : own
    return [{ pluginId, name: own, version: asString(version) ?? '', enabled: enabled === true }]
  })
