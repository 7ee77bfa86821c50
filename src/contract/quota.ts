import type { AgentName } from './names.ts'

/** One limit of a plan. */
export interface QuotaWindow {
  /** In the agent's own words: `five_hour`, `seven_day`, `primary`, `premium_interactions`… */
  windowType: string
  /** 0 to 100; null where it is not reported. */
  usedPercentage: number | null
  /** Epoch milliseconds; null where it is not reported. */
  resetsAt: number | null
  /** Nothing is left, and the agent may not go on at extra cost. */
  isExhausted: boolean
}

/** How much of the user's plan is used. */
export interface QuotaStatus {
  agent: AgentName
  windows: QuotaWindow[]
  isRateLimited: boolean
  /** When the first of the exhausted windows begins again; of all windows while none is exhausted. */
  earliestResetAt: number | null
  measuredAt: number
  /** `run`: reported by the agent while it worked. `cli`: its CLI was asked. */
  source: 'run' | 'cli'
}

/** `mux.quota`. */
export interface QuotaManager {
  /**
   * Asks the agent's CLI, at most once in five minutes. Null: unknown, because the agent has no way to report it, or its
   * CLI says nothing, as without a plan.
   */
  check(agent: AgentName): Promise<QuotaStatus | null>
  /** Of all installed agents that can report it; a CLI that fails is left out. */
  checkAll(): Promise<QuotaStatus[]>
}
