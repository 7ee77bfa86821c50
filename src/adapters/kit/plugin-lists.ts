import type { PluginFacts, PluginOffer } from '../../contract/plugins.ts'
import { asRecords, asString, asTime, type JsonRecord, parseRecord, parseRecords } from '../../core/json.ts'

/** A plugin of a marketplace, as most CLIs want it named. */
export function inMarketplace(name: string, marketplace: string | undefined): string {
  return marketplace ? `${name}@${marketplace}` : name
}

/** Claude Code's `plugin list --json`, which others have taken over. */
export function installedPlugins(stdout: string): PluginFacts[] {
  return (parseRecords(stdout) ?? []).flatMap(({ id, version, enabled, installedAt, description }): PluginFacts[] => {
    const pluginId = asString(id)
    if (pluginId === undefined) return []
    const reported = { enabled: enabled === true, installedAt: asTime(installedAt), description: asString(description) }
    return [{ pluginId, version: asString(version) ?? '', ...reported }]
  })
}

/** What `plugin list --available --json` reports beside those that are installed. */
export function availablePlugins(stdout: string): PluginOffer[] {
  return asRecords(parseRecord(stdout)?.available).flatMap((reported) =>
    offerOf({ ...reported, marketplace: reported.marketplaceName }),
  )
}

/** One entry of a marketplace. */
export function offerOf({ name, version, description, marketplace }: JsonRecord): PluginOffer[] {
  const own = asString(name)
  if (own === undefined) return []
  const registry = asString(marketplace)
  return [
    {
      pluginId: inMarketplace(own, registry),
      name: own,
      latestVersion: asString(version),
      description: asString(description),
      registry,
    },
  ]
}
