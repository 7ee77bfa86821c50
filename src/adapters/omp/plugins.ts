import type { PluginFacts } from '../../contract/plugins.ts'
import { asRecords, asString, asTime, parseRecord } from '../../core/json.ts'
import type { PluginReader } from '../plugin-commands.ts'

/** Packages, and what came from marketplaces. */
export const plugins: PluginReader = (stdout) => {
  const told = parseRecord(stdout) ?? {}
  const packages = asRecords(told.npm).map(
    ({ name, version, enabled }): PluginFacts => ({
      ...{ pluginId: asString(name) ?? '', version: asString(version) ?? '', enabled: enabled !== false },
      format: 'npm-package',
    }),
  )
  const others = asRecords(told.marketplace).map(({ id, entries }): PluginFacts => {
    const [entry] = asRecords(entries)
    const pluginId = asString(id) ?? ''
    return { pluginId, version: asString(entry?.version) ?? '', installedAt: asTime(entry?.installedAt) }
  })
  return [...packages, ...others].filter(({ pluginId }) => pluginId !== '')
}
