import { basename } from 'node:path'
import { asString, parseRecord } from '../../core/json.ts'
import type { PluginReaders } from '../plugin-commands.ts'

/** The CLI has no command that lists them. It takes the folder for a name, which the folder's own is made from. */
export const plugins: PluginReaders = {
  added: (stdout) => {
    const pluginId = asString(parseRecord(stdout)?.installPath)
    return pluginId === undefined ? [] : [{ pluginId, name: basename(pluginId).replace(/-[0-9a-f]{12}$/, '') }]
  },
}
