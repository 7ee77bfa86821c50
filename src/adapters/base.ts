import type { AgentAdapter, Spawner } from '../contract/adapter.ts'
import type { AuthSetupGuidance, AuthState } from '../contract/auth.ts'
import type { AgentCapabilities } from '../contract/capabilities.ts'
import type { AgentConfig, AgentConfigSchema } from '../contract/config.ts'
import { CapabilityError } from '../contract/errors.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import type { InstalledPlugin, PluginInstallOptions, PluginListing, PluginSearchOptions } from '../contract/plugins.ts'
import type { RetryPolicy, RunOptions } from '../contract/run-options.ts'
import type { Session } from '../contract/sessions.ts'
import type { ParseContext, SpawnArgs } from '../contract/spawn.ts'
import { StreamAssembler } from '../contract/stream-assembler.ts'
import type { CostRecord } from '../contract/usage.ts'
import { parseRecord } from '../core/json.ts'
import { errorCodeOf, isRetryable } from '../core/retry.ts'
import { readCostRecord } from '../core/usage.ts'
import { homeDirectory } from '../files/data-dir.ts'

/** Where an adapter looks for the user's files and variables; replaced in tests. */
export interface AdapterHost {
  env: Readonly<Record<string, string | undefined>>
  homeDir: string
  /** The project that the CLI is asked in, where it is not the directory of this process. */
  cwd?: string
  spawner: Spawner
}

/** Loaded with the first command. */
const runCommand: Spawner = async (...args) => (await import('../process/run-command.ts')).runCommand(...args)

/** This process by default, with its home as it is when it is asked for: like the variables, it may change. */
function hostWith({ homeDir: given, ...rest }: Partial<AdapterHost>): AdapterHost {
  let own = given
  return {
    env: process.env,
    spawner: runCommand,
    ...rest,
    get homeDir() {
      return own ?? homeDirectory(process.env)
    },
    set homeDir(path) {
      own = path
    },
  }
}

/** Utilities and default hooks for adapters. Optional: a plain object that fits `AgentAdapter` works as well. */
export abstract class BaseAgentAdapter implements AgentAdapter {
  abstract readonly agent: AgentName
  abstract readonly displayName: string
  abstract readonly cliCommand: string
  abstract readonly minVersion?: string
  abstract readonly capabilities: AgentCapabilities
  abstract readonly models: ModelCapabilities[]
  abstract readonly defaultModelId?: string
  abstract readonly configSchema: AgentConfigSchema
  readonly manifest?: AdapterManifest

  abstract buildSpawnArgs(options: RunOptions): SpawnArgs
  abstract parseEvent(line: string, context: ParseContext): AgentEvent | AgentEvent[] | null
  abstract detectAuth(): Promise<AuthState>
  abstract getAuthGuidance(): AuthSetupGuidance
  abstract sessionDir(cwd?: string): string
  abstract parseSessionFile(filePath: string): Promise<Session>
  abstract listSessionFiles(cwd?: string): Promise<string[]>
  abstract readConfig(cwd?: string): Promise<AgentConfig>
  abstract writeConfig(config: Partial<AgentConfig>, cwd?: string): Promise<void>

  /** Kept for the documented shape. Runs use `ParseContext.assembler`: adapters serve many runs at once. */
  protected readonly streamAssembler = new StreamAssembler()
  protected readonly host: AdapterHost

  constructor(host: Partial<AdapterHost> = {}) {
    this.host = hostWith(host)
  }

  protected parseJsonLine(line: string): unknown | null {
    try {
      return JSON.parse(line)
    } catch {
      return parseRecord(line)
    }
  }

  protected assembleCostRecord(raw: unknown): CostRecord | null {
    return readCostRecord(raw)
  }

  /** Null when the binary is missing, does not answer in time, or prints no version. */
  protected async detectVersionFromCli(): Promise<string | null> {
    const { probeVersion } = await import('../process/probe-version.ts')
    return probeVersion(this.cliCommand, this.manifest?.versionArgs, this.host.spawner)
  }

  detectVersion(): Promise<string | null> {
    return this.detectVersionFromCli()
  }

  /** Only what the caller named: the engine adds the allow-listed environment, never all of `process.env`. */
  protected buildEnvFromOptions(options: RunOptions): Record<string, string> {
    return { ...options.env }
  }

  protected resolveSessionId(options: RunOptions): string | undefined {
    if (options.noSession) return undefined
    return options.sessionId ?? options.forkSessionId
  }

  /** Of use only to an agent with plugins, which overrides these. */
  async listPlugins(): Promise<InstalledPlugin[]> {
    throw new CapabilityError(this.agent, 'plugins')
  }

  async installPlugin(_pluginId: string, _options?: PluginInstallOptions): Promise<InstalledPlugin> {
    throw new CapabilityError(this.agent, 'plugins')
  }

  async uninstallPlugin(_pluginId: string): Promise<void> {
    throw new CapabilityError(this.agent, 'plugins')
  }

  async updatePlugin(_pluginId: string): Promise<InstalledPlugin> {
    throw new CapabilityError(this.agent, 'plugins')
  }

  async searchPlugins(_query: string, _options?: PluginSearchOptions): Promise<PluginListing[]> {
    throw new CapabilityError(this.agent, 'plugins')
  }

  onSpawnError(error: Error): AgentEvent {
    return { type: 'crash', exitCode: -1, stderr: error.message, ...this.#stamp() }
  }

  onTimeout(): AgentEvent {
    const message = `${this.displayName} gave no output in time`
    return { type: 'error', code: 'TIMEOUT', message, recoverable: false, ...this.#stamp() }
  }

  onProcessExit(exitCode: number, signal: string | null): AgentEvent[] {
    if (signal !== null) {
      const message = `${this.displayName} was ended by ${signal}`
      return [{ type: 'error', code: 'AGENT_CRASH', message, recoverable: false, ...this.#stamp() }]
    }
    return exitCode === 0 ? [] : [{ type: 'crash', exitCode, stderr: '', ...this.#stamp() }]
  }

  shouldRetry(event: AgentEvent, attempt: number, policy: RetryPolicy): boolean {
    const code = errorCodeOf(event)
    return code !== null && isRetryable(event, code, attempt, policy)
  }

  // The engine overwrites all three; they are here because the event type asks for them.
  #stamp(): { runId: string; agent: AgentName; timestamp: number } {
    return { runId: '', agent: this.agent, timestamp: 0 }
  }
}
