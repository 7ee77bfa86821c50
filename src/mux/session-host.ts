import { sessionStores, storePath } from '../adapters/session-stores.ts'
import type { AgentName } from '../contract/names.ts'
import type { SessionStore } from '../contract/session-store.ts'
import type { Rates } from '../core/price-table.ts'
import { declaredRates, type PriceBook } from '../core/prices.ts'
import { dataDirectory, homeDirectory } from '../files/data-dir.ts'
import { openPrices, priceStamp } from '../files/prices.ts'
import type { ForeignStore, KnownStore, SessionHost } from '../sessions/host.ts'
import type { Registry } from './registry.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** An agent that uses another's store has its sessions under that name. */
export function ownerOf(agent: AgentName): AgentName {
  return sessionStores.find((one) => one.agent === agent)?.sharedWith ?? agent
}

/** How the conversations of an agent are read. Null for an adapter of somebody else, who reads them himself. */
export async function storeOf(registry: Registry, agent: AgentName): Promise<SessionStore | null> {
  const isOurs = registry.get(agent).source === 'built-in'
  return isOurs ? ((await sessionStores.find((one) => one.agent === agent)?.load()) ?? null) : null
}

/** Null for an agent whose store is not known. */
export function knownStore(agent: AgentName, env: Environment): KnownStore | null {
  const store = sessionStores.find((one) => one.agent === agent)
  const path = storePath(agent, { env, homeDir: homeDirectory(env) })
  return store && path !== null ? { agent, path, load: store.load } : null
}

function storesOf(registry: Registry, env: Environment): (KnownStore | ForeignStore)[] {
  return registry.entries().flatMap((entry): (KnownStore | ForeignStore)[] => {
    const { agent } = entry
    if (entry.source === 'plugin') {
      const adapter = entry.load()
      const files = async () => (await adapter).listSessionFiles()
      return [{ agent, files, parse: async (path) => (await adapter).parseSessionFile(path) }]
    }
    const store = ownerOf(agent) === agent ? knownStore(agent, env) : null
    return store ? [store] : []
  })
}

function pricesOf(registry: Registry, book: PriceBook): SessionHost['price'] {
  const declared = new Map<string, Rates | null>()
  return (agent, row) => {
    if (row.model === undefined) return null
    const name = `${agent} ${row.model}`
    let rates = declared.get(name)
    if (rates === undefined) {
      rates = declaredRates(registry.get(agent).models.find(({ modelId }) => modelId === row.model))
      declared.set(name, rates)
    }
    return book.priceOf(row.model, row, row.at, rates)
  }
}

/** Where the session manager finds what it needs. */
export function sessionHost(registry: Registry, env: Environment, configDir: string): SessionHost {
  const prices = openPrices(configDir)
  return {
    dataDir: dataDirectory(configDir, env),
    stores: () => storesOf(registry, env),
    parse: async (agent, path) => (await registry.load(agent)).parseSessionFile(path),
    isAgent: (agent) => registry.list().some((one) => one.agent === agent),
    requireAgent: (agent) => void registry.get(agent),
    ownerOf,
    price: pricesOf(registry, prices),
    priceStamp: priceStamp(configDir),
  }
}
