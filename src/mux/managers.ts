import type { PluginManager } from '../contract/plugins.ts'
import type { QuotaManager } from '../contract/quota.ts'
import type { AuthManager } from './auth.ts'
import type { ConfigManager } from './config.ts'
import type { Registry } from './registry.ts'

/**
 * The parts of the client that never answer at once. Each is loaded with its first question, because most programs
 * have none for it.
 */

export function authOf(registry: Registry): AuthManager {
  const load = once(async () => (await import('./auth.ts')).authManager(registry))
  return {
    check: async (...args) => (await load()).check(...args),
    checkAll: async (...args) => (await load()).checkAll(...args),
    getSetupGuidance: async (...args) => (await load()).getSetupGuidance(...args),
  }
}

export function configOf(registry: Registry): ConfigManager {
  const load = once(async () => (await import('./config.ts')).configManager(registry))
  return {
    get: async (...args) => (await load()).get(...args),
    getField: async (...args) => (await load()).getField(...args),
    set: async (...args) => (await load()).set(...args),
    setField: async (...args) => (await load()).setField(...args),
    schema: async (...args) => (await load()).schema(...args),
    getMcpServers: async (...args) => (await load()).getMcpServers(...args),
    addMcpServer: async (...args) => (await load()).addMcpServer(...args),
    removeMcpServer: async (...args) => (await load()).removeMcpServer(...args),
  }
}

export function pluginsOf(registry: Registry): PluginManager {
  let loaded: PluginManager | null = null
  const load = once(async () => {
    loaded = new (await import('./plugins.ts')).Plugins(registry)
    return loaded
  })
  return {
    get warnings() {
      return loaded?.warnings ?? []
    },
    list: async (...args) => (await load()).list(...args),
    install: async (...args) => (await load()).install(...args),
    uninstall: async (...args) => (await load()).uninstall(...args),
    update: async (...args) => (await load()).update(...args),
    updateAll: async (...args) => (await load()).updateAll(...args),
    search: async (...args) => (await load()).search(...args),
    browse: async (...args) => (await load()).browse(...args),
    info: async (...args) => (await load()).info(...args),
  }
}

export function quotaOf(registry: Registry, env: Readonly<Record<string, string | undefined>>): QuotaManager {
  const load = once(async () => new (await import('./quota.ts')).Quotas(registry, env))
  return {
    check: async (...args) => (await load()).check(...args),
    checkAll: async (...args) => (await load()).checkAll(...args),
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make()
    return made
  }
}
