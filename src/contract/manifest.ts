import type { AuthMethod } from './auth.ts'
import type { AgentCapabilities } from './capabilities.ts'
import type { AgentConfigSchema } from './config.ts'
import type { ModelCapabilities } from './models.ts'
import type { AgentName } from './names.ts'
import type { PluginFlags } from './plugins.ts'

/** The parts of an adapter that are data: enough to list it, gate options and find its binary without loading it. */
export interface AdapterManifest {
  agent: AgentName
  displayName: string
  cliCommand: string
  /** A variable in the `env` of a run that holds a command line to start in the place of `cliCommand`. */
  commandVariable?: string
  /** Oldest version whose output the adapter is written for. */
  minVersion?: string
  /** The version the conformance suite proves. */
  provenVersion?: string
  /** `verified`: proven on the real CLI in CI. `unverified`: built from documents only. */
  verification: 'verified' | 'partly-verified' | 'unverified'
  npmPackage?: string
  homepage?: string
  versionArgs?: string[]
  capabilities: AgentCapabilities
  models: ModelCapabilities[]
  defaultModelId?: string
  configSchema: AgentConfigSchema
  plugins?: PluginFlags
  /** It takes images as data only (in its live form), so those in files are read for it. */
  imagesAsData?: 'live' | 'always'
  /** Set inside the agent's tool processes: how we know that we run below it. */
  hostEnvSignals?: readonly string[]
  /** Variables of this process that the agent may see besides the general allow-list; a trailing `*` matches a prefix. */
  passEnv?: readonly string[]
  auth: {
    envVars: { name: string; method: AuthMethod; description: string }[]
    files: { path: string; method: AuthMethod }[]
    providerName: string
    loginCommand?: string
    verifyCommand?: string
    documentationUrls: string[]
  }
  /** Known quirks worth a line on the agent's page. */
  quirks?: string[]
}
