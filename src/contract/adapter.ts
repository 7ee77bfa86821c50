import type { Fact } from './activity.ts'
import type { AuthSetupGuidance, AuthState } from './auth.ts'
import type { AgentCapabilities } from './capabilities.ts'
import type { AgentConfig, AgentConfigSchema } from './config.ts'
import type { DialogueFactory } from './dialogue.ts'
import type { AgentEvent } from './events.ts'
import type { HookContext, HookPlan, HookReading } from './hooks.ts'
import type { AdapterManifest } from './manifest.ts'
import type { ModelCapabilities } from './models.ts'
import type { AgentName } from './names.ts'
import type { InstalledPlugin, PluginInstallOptions, PluginListing, PluginSearchOptions } from './plugins.ts'
import type { QuotaStatus } from './quota.ts'
import type { RestorePlan, SessionReference } from './restore.ts'
import type { EndpointOverride, RetryPolicy, RunOptions } from './run-options.ts'
import type { Session } from './sessions.ts'
import type { ParseContext, RunFile, SpawnArgs } from './spawn.ts'
import type { LaunchPlan, ScreenSign } from './terminal.ts'

/** Runs a short command to its end. Injectable, so detection can be tested without a CLI. */
export type Spawner = (
  command: string,
  args: string[],
  options?: { env?: Record<string, string>; cwd?: string },
) => Promise<{ code: number; stdout: string; stderr: string }>

/** Whether an agent is installed, where, and which version. */
export interface DetectInstallationResult {
  installed: boolean
  version?: string
  path?: string
  notes?: string
}

/** What `install` of an adapter takes. */
export interface AdapterInstallOptions {
  version?: string
  force?: boolean
  dryRun?: boolean
}

/** What `update` of an adapter takes. */
export interface AdapterUpdateOptions {
  dryRun?: boolean
}

/** The result of an installation. */
export interface InstallResult {
  ok: boolean
  method: string
  command: string
  stdout?: string
  stderr?: string
  installedVersion?: string
  message?: string
}

/** What must be set so that the agent talks to another endpoint. File paths are below the agent's home. */
export interface EndpointPlan {
  env: Record<string, string>
  args: string[]
  files: RunFile[]
}

/**
 * Everything agent-mux knows about one agent. Implement it directly, or extend `BaseAgentAdapter`. An instance
 * serves all runs of its agent at once, so it holds no state of a run.
 */
export interface AgentAdapter {
  readonly agent: AgentName
  readonly displayName: string
  readonly cliCommand: string
  readonly minVersion?: string
  readonly capabilities: AgentCapabilities
  readonly models: ModelCapabilities[]
  readonly defaultModelId?: string
  readonly configSchema: AgentConfigSchema

  /** Throws CapabilityError or ValidationError for what the agent cannot honour. */
  buildSpawnArgs(options: RunOptions): SpawnArgs
  /** Null: not recognised. Must not throw. */
  parseEvent(line: string, context: ParseContext): AgentEvent | AgentEvent[] | null

  detectAuth(): Promise<AuthState>
  getAuthGuidance(): AuthSetupGuidance
  sessionDir(cwd?: string): string
  parseSessionFile(filePath: string): Promise<Session>
  listSessionFiles(cwd?: string): Promise<string[]>
  readConfig(cwd?: string): Promise<AgentConfig>
  writeConfig(config: Partial<AgentConfig>, cwd?: string): Promise<void>
  /** Writes what `change` makes of the one file that `writeConfig` writes to, while nobody else does. */
  editConfig?(change: (current: AgentConfig) => Partial<AgentConfig>, cwd?: string): Promise<void>

  listPlugins?(): Promise<InstalledPlugin[]>
  installPlugin?(pluginId: string, options?: PluginInstallOptions): Promise<InstalledPlugin>
  uninstallPlugin?(pluginId: string): Promise<void>
  updatePlugin?(pluginId: string): Promise<InstalledPlugin>
  searchPlugins?(query: string, options?: PluginSearchOptions): Promise<PluginListing[]>

  // Hooks of a run. BaseAgentAdapter has defaults.
  onSpawnError?(error: Error): AgentEvent
  onTimeout?(): AgentEvent
  onProcessExit?(exitCode: number, signal: string | null): AgentEvent[]
  shouldRetry?(event: AgentEvent, attempt: number, policy: RetryPolicy): boolean

  // Optional abilities.
  readonly manifest?: AdapterManifest
  readonly hostEnvSignals?: readonly string[]
  /** For agents with a two-way protocol; without it the engine drives `parseEvent`. */
  createDialogue?: DialogueFactory
  endpointOverride?(endpoint: EndpointOverride): EndpointPlan
  /** How to start the agent's own screen in a terminal. Throws CapabilityError for what it cannot honour there. */
  planLaunch?(options: RunOptions): LaunchPlan
  /** What the screen says about the session; null when nothing that is known. */
  readScreen?(lines: readonly string[]): ScreenSign | null
  /** How its hooks are to reach us, as data. Touches nothing. */
  planHooks?(context: HookContext): HookPlan
  /** What a hook's payload reports. Null: nothing that matters. Must not throw. */
  readHook?(event: string, payload: unknown): HookReading | null
  /** How a conversation can be brought back, after a look whether it is still there. */
  planRestore?(session: SessionReference): Promise<RestorePlan>
  /** What the agent's own transcript says of its activity; null when it cannot be determined. */
  getActivityState?(session: SessionReference, readyThresholdMs?: number): Promise<Fact | null>
  detectInstallation?(): Promise<DetectInstallationResult>
  /** Asks the CLI for its version where there is no `detectInstallation`; null when it does not say. */
  detectVersion?(): Promise<string | null>
  install?(options?: AdapterInstallOptions): Promise<InstallResult>
  update?(options?: AdapterUpdateOptions): Promise<InstallResult>
  discoverModels?(cwd?: string): Promise<ModelCapabilities[]>
  /** How much of the user's plan is used; null where the CLI says nothing, as without a plan. */
  getQuotaStatus?(): Promise<QuotaStatus | null>
}
