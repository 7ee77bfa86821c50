import type { PluginFacts } from '../../contract/plugins.ts'
import { asRecords, asString, asTime, parseRecord } from '../../core/json.ts'
import { offerOf } from '../kit/plugin-lists.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = {
  /** Packages, and what came from marketplaces. */
  installed: (stdout) => {
    const reported = parseRecord(stdout) ?? {}
    const packages = asRecords(reported.npm).map(
      ({ name, version, enabled }): PluginFacts => ({
        ...{ pluginId: asString(name) ?? '', version: asString(version) ?? '', enabled: enabled !== false },
        format: 'npm-package',
      }),
    )
    const others = asRecords(reported.marketplace).map(({ id, entries }): PluginFacts => {
      const [entry] = asRecords(entries)
      const pluginId = asString(id) ?? ''
      return { pluginId, version: asString(entry?.version) ?? '', installedAt: asTime(entry?.installedAt) }
    })
    return [...packages, ...others].filter(({ pluginId }) => pluginId !== '')
  },
  marketplaces: {
    args: ['plugin', 'marketplace', 'list'],
    read: (stdout) => [...stdout.matchAll(/^ {2}(\S+) {2}\S/gm)].flatMap(([, name]) => name ?? []),
  },
  /** Each on a line, and below it what it is about. Text, even with `--json`. */
  available: (stdout, marketplace) =>
    [...stdout.matchAll(/^ {2}(\S+)@(\S+)\n(?: {4}(\S.*)$)?/gm)].flatMap(([, name, version, description]) =>
      offerOf({ name, version, description, marketplace }),
    ),
}
