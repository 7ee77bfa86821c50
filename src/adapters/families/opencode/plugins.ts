import { basename } from 'node:path'
import type { PluginFacts } from '../../../contract/plugins.ts'
import { asRecords, asString, parseRecord } from '../../../core/json.ts'

/** The configuration that counts names them with their origin; what the CLI brings along has none. */
export function configuredPlugins(stdout: string): PluginFacts[] {
  return asRecords(parseRecord(stdout)?.plugin_origins).flatMap(({ spec }): PluginFacts[] => {
    const pluginId = asString(spec)
    if (pluginId === undefined) return []
    const isFile = pluginId.startsWith('file:')
    const version = isFile ? '' : (/.@([^/]*)$/.exec(pluginId)?.[1] ?? '')
    return [{ pluginId, version, ...(isFile && { name: basename(pluginId) }) }]
  })
}
