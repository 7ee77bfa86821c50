import type { AgentName } from '../contract/names.ts'
import type { RegisteredAgent } from './registry.ts'

export interface HostHarnessInfo {
  agent: AgentName
  /** The variables that gave it away. */
  signals: string[]
}

/** Which agent this process runs below, judged by the variables agents set for their tools. Null: none. */
export function detectHost(
  agents: readonly RegisteredAgent[],
  env: Readonly<Record<string, string | undefined>>,
): HostHarnessInfo | null {
  let best: HostHarnessInfo | null = null
  for (const { agent, hostEnvSignals } of agents) {
    const signals = hostEnvSignals.filter((name) => env[name] !== undefined)
    // Some agents also set another's marker to please tools; the one with most of its own markers is the host.
    if (signals.length > (best?.signals.length ?? 0)) best = { agent, signals }
  }
  return best
}
