import type { AgentName } from '../contract/names.ts'
import type { RegisteredAgent } from './registry.ts'

/** The agent that this process runs under, as its environment shows. */
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
  let most = 0
  for (const { agent, hostEnvSignals } of agents) {
    const signals = hostEnvSignals.filter((name) => env[name] !== undefined)
    // Some agents also set another's marker to please tools; the one with most of its own markers is the host. The
    // directory of the project is what they set most often for hooks that were written for another.
    const weight = signals.reduce((sum, name) => sum + (name.endsWith('_PROJECT_DIR') ? 1 : 2), 0)
    if (weight <= most) continue
    most = weight
    best = { agent, signals }
  }
  return best
}
