import type { SessionManager } from '../contract/session-manager.ts'
import type { Catalogue } from '../sessions/catalogue.ts'
import type { Lineage } from '../sessions/lineage.ts'
import { splitUnifiedId, unifiedId } from '../sessions/unified-id.ts'
import type { Registry } from './registry.ts'
import type { SessionActions } from './session-actions.ts'

interface Loaded {
  catalogue: Catalogue
  /** Read anew for each call: another process may have added to it. */
  lineage(): Promise<Lineage>
}

/** `mux.sessions`. The index is loaded with the first call, what can be done with a session when it is asked for. */
export function sessionsOf(
  registry: Registry,
  env: Readonly<Record<string, string | undefined>>,
  configDir: () => string,
): SessionManager {
  let loaded: Loaded | null = null
  const load = async (): Promise<Loaded> => {
    const [{ SessionCatalogue }, { sessionHost }, { readLineage }] = await Promise.all([
      import('../sessions/catalogue.ts'),
      import('./session-host.ts'),
      import('../sessions/lineage.ts'),
    ])
    if (loaded) return loaded
    const host = sessionHost(registry, env, configDir())
    loaded = { catalogue: new SessionCatalogue(host), lineage: () => readLineage(host.dataDir, host.ownerOf) }
    return loaded
  }
  const actions = async (): Promise<SessionActions> => {
    const [{ catalogue }, { sessionActions }] = await Promise.all([load(), import('./session-actions.ts')])
    return sessionActions(catalogue, registry, env, configDir)
  }
  return {
    list: async (...args) => {
      const { catalogue, lineage } = await load()
      const [sessions, families] = await Promise.all([catalogue.list(...args), lineage()])
      return sessions.map((session) => families.addTo(session))
    },
    get: async (...args) => {
      const { catalogue, lineage } = await load()
      const [session, families] = await Promise.all([catalogue.get(...args), lineage()])
      return families.addTo(session)
    },
    locate: async (...args) => (await load()).catalogue.locate(...args),
    search: async (...args) => {
      const { catalogue, lineage } = await load()
      const [sessions, families] = await Promise.all([catalogue.search(...args), lineage()])
      return sessions.map((session) => families.addTo(session))
    },
    totalCost: async (...args) => (await load()).catalogue.totalCost(...args),
    refresh: async (...args) => (await load()).catalogue.refresh(...args),
    export: async (...args) => (await actions()).export(...args),
    diff: async (...args) => (await actions()).diff(...args),
    async *watch(...args) {
      yield* (await actions()).watch(...args)
    },
    resumable: async (...args) => (await actions()).resumable(...args),
    resumableAll: async (...args) => (await actions()).resumableAll(...args),
    resolve: async (...args) => (await actions()).resolve(...args),
    handoff: async (...args) => (await actions()).handoff(...args),
    close: () => loaded?.catalogue.close(),
    get warnings() {
      return loaded?.catalogue.warnings ?? []
    },
    resolveUnifiedId: unifiedId,
    resolveNativeId(id) {
      const parts = splitUnifiedId(id)
      return parts && registry.list().some(({ agent }) => agent === parts.agent) ? parts : null
    },
  }
}
