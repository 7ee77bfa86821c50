import type { AgentName } from '../contract/names.ts'
import type { SessionListOptions, SessionManager } from '../contract/session-manager.ts'
import type { Session, SessionSummary } from '../contract/sessions.ts'
import type { Catalogue } from '../sessions/catalogue.ts'
import type { Lineage } from '../sessions/lineage.ts'
import type { ManagedLinks } from '../sessions/managed-links.ts'
import { splitUnifiedId, unifiedId } from '../sessions/unified-id.ts'
import type { Registry } from './registry.ts'
import type { SessionActions } from './session-actions.ts'

interface Loaded {
  catalogue: Catalogue
  query: typeof import('./session-query.ts')
  /** Read again for each call: another process may have added to it. */
  lineage(): Promise<Lineage>
  managed(): Promise<ManagedLinks>
}

/** `mux.sessions`. The index is loaded with the first call, what can be done with a session when it is asked for. */
export function sessionsOf(
  registry: Registry,
  env: Readonly<Record<string, string | undefined>>,
  configDir: () => string,
): SessionManager {
  let loaded: Loaded | null = null
  const load = async (): Promise<Loaded> => {
    const [query, { SessionCatalogue }, { sessionHost }, { readLineage }, { readManagedLinks }] = await Promise.all([
      import('./session-query.ts'),
      import('../sessions/catalogue.ts'),
      import('./session-host.ts'),
      import('../sessions/lineage.ts'),
      import('../sessions/managed-links.ts'),
    ])
    if (loaded) return loaded
    const host = sessionHost(registry, env, configDir())
    const { dataDir, ownerOf } = host
    loaded = {
      query,
      catalogue: new SessionCatalogue(host),
      lineage: () => readLineage(dataDir, ownerOf),
      managed: () => readManagedLinks(dataDir, ownerOf),
    }
    return loaded
  }
  /** With what we know of them ourselves. */
  const withOurs = async <One extends Session | SessionSummary>(sessions: Promise<One[]>): Promise<One[]> => {
    const { lineage, managed } = await load()
    const [found, families, links] = await Promise.all([sessions, lineage(), managed()])
    return found.map((session) => links.addTo(families.addTo(session)))
  }
  const actions = async (): Promise<SessionActions> => {
    const [{ catalogue, managed }, { sessionActions }] = await Promise.all([load(), import('./session-actions.ts')])
    return sessionActions(catalogue, registry, env, configDir, managed)
  }
  return {
    list: async (first?: AgentName | null | SessionListOptions, second?: SessionListOptions) => {
      const { catalogue, query } = await load()
      const { agent, ...options } = query.listOptions(first, second)
      return withOurs(catalogue.list(agent, query.atTimes(options)))
    },
    get: async (...args) => {
      const { catalogue, lineage, managed } = await load()
      const [session, families, links] = await Promise.all([catalogue.get(...args), lineage(), managed()])
      return links.addTo(families.addTo(session))
    },
    locate: async (...args) => (await load()).catalogue.locate(...args),
    search: async (options) => {
      const { catalogue, query } = await load()
      return withOurs(catalogue.search(query.atTimes(options)))
    },
    totalCost: async (asked = {}) => {
      const { catalogue, query } = await load()
      return catalogue.totalCost(query.atTimes(asked))
    },
    refresh: async (...args) => (await load()).catalogue.refresh(...args),
    export: async (...args) => (await actions()).export(...args),
    diff: async (...args) => (await actions()).diff(...args),
    async *watch(...args) {
      yield* (await actions()).watch(...args)
    },
    activity: async (...args) => (await actions()).activity(...args),
    resumable: async (...args) => (await actions()).resumable(...args),
    resumableAll: async (...args) => (await actions()).resumableAll(...args),
    resolve: async (...args) => (await actions()).resolve(...args),
    handoff: async (...args) => (await actions()).handoff(...args),
    close: () => loaded?.catalogue.close(),
    [Symbol.dispose]: () => loaded?.catalogue.close(),
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
