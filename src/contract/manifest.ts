import type { AuthMethod } from './auth.ts'
import type { AgentCapabilities } from './capabilities.ts'
import type { AgentConfigSchema } from './config.ts'
import type { ModelCapabilities } from './models.ts'
import type { AgentName } from './names.ts'
import type { PluginFlags } from './plugins.ts'

/** A file in which an agent keeps credentials, and how they are known in it. */
export interface AuthFile {
  path: string
  method: AuthMethod
  /**
   * Default: json, with comments allowed. `text`: all of it is the credential. `sealed`: encrypted by the CLI, so that
   * only its presence is known.
   */
  format?: 'json' | 'json5' | 'yaml' | 'toml' | 'env' | 'sqlite' | 'text' | 'sealed'
  /**
   * Where a credential is, as a path of keys; `*` is any key, or a part of one (`*_API_KEY`). Left out: any field
   * that has the name of a credential.
   */
  keys?: string[]
  /** For a database: rows that hold a credential as JSON in their first column. */
  query?: string
  /** Fields that name who is signed in while the credential itself is in the system's keychain. */
  logins?: string[]
  /** Fields that name the variable in which a key is: it counts when that one is set. */
  variables?: string[]
  /**
   * Fields that say what is set up, while its credential is kept elsewhere (the system's keychain, a cloud's own login):
   * whether it is there is not known. `field=a|b`: only with one of these values.
   */
  setUp?: string[]
  /** A variable whose content the CLI takes in the place of the file's. */
  variable?: string
  /** A variable whose content the CLI reads beside the file. */
  beside?: string
}

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
  /** Variables that hold settings as JSON: what the user has in one stays, except for the keys that a run sets itself. */
  joinEnv?: readonly string[]
  auth: {
    envVars: { name: string; method: AuthMethod; description: string }[]
    /** Variables of more providers whose keys count as well; too many to be named in the guidance. */
    otherKeys?: readonly string[]
    /** Switches to an account that is kept elsewhere, such as a cloud's own login: whether it is there is not known. */
    elsewhere?: readonly string[]
    files: AuthFile[]
    providerName: string
    loginCommand?: string
    verifyCommand?: string
    documentationUrls: string[]
  }
  /**
   * The CLI's own variables for the places of its files: by the path without them, what replaces it. All paths
   * of the agent are resolved by it (`core/agent-paths.ts`).
   */
  directories?: Readonly<Record<string, readonly string[]>>
  /** The folder or database of its sessions, read by `sessions.ts`; `directories` says what moves it. */
  sessionStore?: string
  /** Where the agent keeps its sessions, in a form that is not read here. */
  sessionDir?: string
  /** Known quirks worth a line on the agent's page. */
  quirks?: string[]
}
