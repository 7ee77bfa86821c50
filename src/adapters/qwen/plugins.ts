import type { PluginFacts } from '../../contract/plugins.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  /** A line with the name and the version of each, and indented lines about it. */
  installed: (stdout) =>
    stdout.split(/^(?=\S+ \S+ \([^)]*\)$)/m).flatMap((part): PluginFacts[] => {
      const [, pluginId, version = ''] = /^\S+ (\S+) \(([^)]*)\)$/m.exec(part) ?? []
      const description = /^ Description: (.*)$/m.exec(part)?.[1]
      const enabled = !/^ Enabled \(User\): false$/m.test(part)
      return pluginId === undefined ? [] : [{ pluginId, version, description, enabled }]
    }),
}
