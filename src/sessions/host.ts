import type { AgentName } from '../contract/names.ts'
import type { SessionStore, UsageRow } from '../contract/session-store.ts'
import type { Session } from '../contract/sessions.ts'

/** A store that we know how to read: a folder of files or a database, which may not exist. */
export interface KnownStore {
  agent: AgentName
  path: string
  load(): Promise<SessionStore>
}

/** An adapter of somebody else, which is asked for its files and parses them itself. */
export interface ForeignStore {
  agent: AgentName
  files(): Promise<string[]>
  parse(path: string): Promise<Session>
}

/** What the session manager needs of the world. */
export interface SessionHost {
  dataDir: string
  stores(): (KnownStore | ForeignStore)[]
  /** The whole conversation. */
  parse(agent: AgentName, path: string): Promise<Session>
  isAgent(agent: AgentName): boolean
  /** Throws for an agent that nobody knows. */
  requireAgent(agent: AgentName): void
  /** An agent that uses another's store has its sessions under that name. */
  ownerOf(agent: AgentName): AgentName
  /** At list prices; null when there is none. */
  price(agent: AgentName, row: UsageRow): number | null
  /** Changes whenever a price may have changed. */
  priceStamp: string
}
