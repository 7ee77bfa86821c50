import type { AgentAdapter } from './adapter.ts'
import type { AuthStatus } from './auth.ts'
import type { AgentCapabilities, InstallMethod } from './capabilities.ts'
import type { AdapterManifest } from './manifest.ts'
import type { AgentName } from './names.ts'

/** Whether an agent is installed on this machine, and which version. */
export interface InstalledAgentInfo {
  agent: AgentName
  installed: boolean
  cliPath: string | null
  version: string | null
  /** True without a minimum; false when the version is unknown. */
  meetsMinVersion: boolean
  minVersion: string
  authState: AuthStatus
  /** Why it is not known. */
  authReason?: string
  activeModel: string | null
}

/** A registered adapter, as `mux.adapters.list()` shows it. */
export interface AgentAdapterInfo {
  agent: AgentName
  displayName: string
  cliCommand: string
  minVersion: string | undefined
  source: 'built-in' | 'plugin'
  verification: AdapterManifest['verification']
}

/** A lookup table of adapters, not a lifecycle manager: running agents keep the adapter they started with. */
export interface AdapterRegistry {
  /** Sorted by agent name; touches neither disk nor processes. */
  list(): AgentAdapterInfo[]
  installed(): Promise<InstalledAgentInfo[]>
  /** Cached for 30 s; calls at the same time share one probe. Null when no such adapter is registered. */
  detect(agent: AgentName): Promise<InstalledAgentInfo | null>
  capabilities(agent: AgentName): AgentCapabilities
  installInstructions(agent: AgentName, platform?: NodeJS.Platform): InstallMethod[]
  /** Replaces an adapter of the same name. Throws a ValidationError that lists every fault, and then changes nothing. */
  register(adapter: AgentAdapter): void
  unregister(agent: AgentName): void
  /** The adapter itself, loaded on first use. */
  load(agent: AgentName): Promise<AgentAdapter>
}
