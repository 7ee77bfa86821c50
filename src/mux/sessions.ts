import { homedir } from 'node:os'
import { sessionStores, storePath } from '../adapters/session-stores.ts'
import type { AgentName } from '../contract/names.ts'
import type { SessionManager } from '../contract/session-manager.ts'
import type { UsageRow } from '../contract/session-store.ts'
import { estimateCost } from '../core/prices.ts'
import { addUsage, emptyUsage } from '../core/usage.ts'
import { dataDirectory } from '../files/data-dir.ts'
import type { Catalogue } from '../sessions/catalogue.ts'
import type { ForeignStore, KnownStore, SessionHost } from '../sessions/host.ts'
import { splitUnifiedId, unifiedId } from '../sessions/unified-id.ts'
import type { Registry } from './registry.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What `mux.sessions` can do so far. */
export type Sessions = Catalogue & Pick<SessionManager, 'resolveUnifiedId' | 'resolveNativeId'>

function storesOf(registry: Registry, env: Environment): (KnownStore | ForeignStore)[] {
  return registry.entries().flatMap((entry): (KnownStore | ForeignStore)[] => {
    const { agent } = entry
    if (entry.source === 'plugin') {
      const adapter = entry.load()
      const files = async () => (await adapter).listSessionFiles()
      return [{ agent, files, parse: async (path) => (await adapter).parseSessionFile(path) }]
    }
    const store = sessionStores.find((one) => one.agent === agent)
    const path = storePath(agent, { env, homeDir: env.HOME ?? homedir() })
    if (!store || path === null || store.sharedWith !== undefined) return []
    return [{ agent, path, load: store.load }]
  })
}

function price(registry: Registry, agent: AgentName, row: UsageRow): number | null {
  const model = registry.get(agent).models.find(({ modelId }) => modelId === row.model)
  return estimateCost(model, addUsage(emptyUsage(), row))?.totalUsd ?? null
}

function hostOf(registry: Registry, env: Environment, configDir: string): SessionHost {
  return {
    dataDir: dataDirectory(configDir, env),
    stores: () => storesOf(registry, env),
    parse: async (agent, path) => (await registry.load(agent)).parseSessionFile(path),
    requireAgent: (agent) => void registry.get(agent),
    ownerOf: (agent) => sessionStores.find((one) => one.agent === agent)?.sharedWith ?? agent,
    price: (agent, row) => price(registry, agent, row),
  }
}

/** `mux.sessions`. The index and its database are loaded with the first call. */
export function sessionsOf(registry: Registry, env: Environment, configDir: () => string): Sessions {
  let loaded: Catalogue | null = null
  const load = async (): Promise<Catalogue> => {
    const { SessionCatalogue } = await import('../sessions/catalogue.ts')
    loaded ??= new SessionCatalogue(hostOf(registry, env, configDir()))
    return loaded
  }
  return {
    list: async (...args) => (await load()).list(...args),
    get: async (...args) => (await load()).get(...args),
    totalCost: async (...args) => (await load()).totalCost(...args),
    refresh: async (...args) => (await load()).refresh(...args),
    close: () => loaded?.close(),
    get warnings() {
      return loaded?.warnings ?? []
    },
    resolveUnifiedId: unifiedId,
    resolveNativeId(id) {
      const parts = splitUnifiedId(id)
      return parts && registry.list().some(({ agent }) => agent === parts.agent) ? parts : null
    },
  }
}
