import type { AgentName } from '../contract/names.ts'
import type { SessionStore } from '../contract/session-store.ts'
import { agentPath, type PathHost } from '../core/agent-paths.ts'
import { manifests } from './manifests.ts'
import { sessionReaders } from './session-readers.ts'

export interface StoreEntry {
  agent: AgentName
  /** A folder or a database, without the variables that move it: those are in the manifest (`directories`). */
  at: string
  /** The same store as another agent's, which then has the sessions in lists. */
  sharedWith?: AgentName
  load: () => Promise<SessionStore>
}

/** Where the agents keep their conversations, from their manifests. */
export const sessionStores: readonly StoreEntry[] = manifests.flatMap(({ agent, sessionStore: at }) => {
  const load = sessionReaders[agent]
  if (at === undefined || load === undefined) return []
  const first = manifests.find((manifest) => manifest.sessionStore === at)?.agent
  return [{ agent, at, load, ...(first !== agent && { sharedWith: first }) }]
})

/** Where the agent's store is on this machine, whether it exists or not. Null when its store is not known. */
export function storePath(agent: AgentName, host: PathHost): string | null {
  const entry = sessionStores.find((one) => one.agent === agent)
  const manifest = manifests.find((one) => one.agent === agent)
  return entry ? agentPath(entry.at, manifest?.directories, host) : null
}
