import type { PluginFacts } from '../../contract/plugins.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  /** `  name@marketplace  [scope]  version`, below the titles of active ones and others. */
  installed: (stdout) => {
    let enabled = true
    return stdout.split('\n').flatMap((line): PluginFacts[] => {
      const title = /^(\w+):$/.exec(line.trim())
      if (title) enabled = title[1] === 'Active'
      const [, pluginId, version] = /^\s+(\S+@\S+)\s+\[\w+\]\s*(\S*)/.exec(line) ?? []
      return pluginId === undefined ? [] : [{ pluginId, version: version ?? '', enabled }]
    })
  },
}
