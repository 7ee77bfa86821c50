import type { AgentName } from '../../../contract/names.ts'

/** What differs between OpenCode and the agents made from it. */
export interface OpencodeDialect {
  agent: AgentName
  displayName: string
  command: string
  /** Its variables are those of OpenCode with this in front: `OPENCODE_CONFIG_CONTENT`. */
  envPrefix: 'OPENCODE' | 'KILO'
  /** The agent, in its own sense of the word, that a run uses by default. */
  mainAgent: string
  /** Gateways with free models, which get the prompt when neither the run nor the config names a model. */
  freeProviders: readonly string[]
  /** Set in every run. */
  env: Readonly<Record<string, string>>
  /** Set besides when the model traffic goes to another endpoint: nothing may go to anybody else. */
  endpointEnv: Readonly<Record<string, string>>
  /** Models besides the run's own that can be switched to on another endpoint, without their provider. */
  endpointModels: readonly string[]
  guidance: string
}
