import type { SessionManager } from '../contract/session-manager.ts'
import type { Catalogue } from '../sessions/catalogue.ts'
import { splitUnifiedId, unifiedId } from '../sessions/unified-id.ts'
import type { Registry } from './registry.ts'

/** What `mux.sessions` can do so far. */
export type Sessions = Catalogue & Pick<SessionManager, 'resolveUnifiedId' | 'resolveNativeId'>

/** `mux.sessions`. The index and its database are loaded with the first call. */
export function sessionsOf(
  registry: Registry,
  env: Readonly<Record<string, string | undefined>>,
  configDir: () => string,
): Sessions {
  let loaded: Catalogue | null = null
  const load = async (): Promise<Catalogue> => {
    const { SessionCatalogue } = await import('../sessions/catalogue.ts')
    const { sessionHost } = await import('./session-host.ts')
    loaded ??= new SessionCatalogue(sessionHost(registry, env, configDir()))
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
