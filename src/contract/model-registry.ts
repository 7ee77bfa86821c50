import type { ModelCapabilities } from './models.ts'
import type { AgentName } from './names.ts'

/** A model in the list of an agent. */
export interface CatalogEntry extends ModelCapabilities {
  isDefault: boolean
}

/** Whether an agent knows a model. */
export interface ModelValidation {
  /** The name stands for a model in our list. Any other is passed on to the agent anyway. */
  valid: boolean
  status: 'ok' | 'alias' | 'deprecated' | 'ambiguous' | 'unknown'
  message: string
  model?: ModelCapabilities
  resolvedModelId?: string
  successorModelId?: string
  /** At most five, the nearest first. */
  suggestions?: string[]
}

/** The result of asking a CLI for its models. */
export interface ModelRefresh {
  agent: AgentName
  models: ModelCapabilities[]
  /** `remote`: the agent's CLI reported them just now. `bundled`: it cannot report them, these are ours. */
  source: 'bundled' | 'remote'
  /** Why the CLI did not report them. */
  problem?: string
}

/** The models of every agent: ours, or what its CLI reports after `refresh`. Prices are those of today. */
export interface ModelRegistry {
  models(agent: AgentName): ModelCapabilities[]
  /** Of one agent, or of all. */
  catalog(agent?: AgentName): CatalogEntry[]
  /** By id or alias. */
  model(agent: AgentName, name: string): ModelCapabilities | null
  defaultModel(agent: AgentName): ModelCapabilities | null
  validate(agent: AgentName, name: string): ModelValidation
  /** Dollars at list prices, for one request made now. Null: no price is known. */
  estimateCost(agent: AgentName, name: string, inputTokens: number, outputTokens: number): number | null
  /** Asks the agent's CLI. Its answer counts for a week, for this user. Throws when the CLI fails. */
  refresh(agent: AgentName): Promise<ModelRefresh>
  /** All at once; a CLI that fails is reported in `problem`. */
  refreshAll(): Promise<ModelRefresh[]>
  /** A day, or the time of the last refresh. Null: no models are known. */
  lastUpdated(agent: AgentName): string | null
}
