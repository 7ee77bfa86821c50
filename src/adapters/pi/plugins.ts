import { basename } from 'node:path'
import type { PluginFacts } from '../../contract/plugins.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  /** Each source on a line, and below it the folder that it is in. A folder of the user's is known by its own path. */
  installed: (stdout) =>
    [...stdout.matchAll(/^ {2}(\S.*)\n {4}(\S.*)$/gm)].map(([, source = '', folder = '']): PluginFacts => {
      const isFetched = /^(npm|git|https?|ssh):/.test(source)
      return isFetched
        ? { pluginId: source, name: source.replace(/^\w+:/, ''), format: 'npm-package' }
        : { pluginId: folder, name: basename(folder), format: 'extension-ts' }
    }),
}
