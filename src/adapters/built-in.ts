import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Fact } from '../contract/activity.ts'
import type { EndpointPlan } from '../contract/adapter.ts'
import type { AuthSetupGuidance, AuthState } from '../contract/auth.ts'
import type { AgentConfig } from '../contract/config.ts'
import type { Dialogue, DialogueFactory } from '../contract/dialogue.ts'
import { AgentMuxError, CapabilityError } from '../contract/errors.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AdapterHooks, HookContext, HookPlan, HookReading } from '../contract/hooks.ts'
import type { Inquiry } from '../contract/inquiry.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { DiscoveredModel, ModelCapabilities } from '../contract/models.ts'
import type { InstalledPlugin, PluginInstallOptions, PluginListing, PluginSearchOptions } from '../contract/plugins.ts'
import type { QuotaStatus, QuotaWindow } from '../contract/quota.ts'
import type { RestorePlan, SessionReference } from '../contract/restore.ts'
import type { EndpointOverride, RunOptions } from '../contract/run-options.ts'
import type { SessionStore } from '../contract/session-store.ts'
import type { Session } from '../contract/sessions.ts'
import type { ParseContext, SpawnArgs } from '../contract/spawn.ts'
import type { LaunchPlan, ScreenSign } from '../contract/terminal.ts'
import { placeOf } from '../core/agent-paths.ts'
import { completeDraft } from '../core/complete-draft.ts'
import { protocolOf } from '../core/endpoint.ts'
import { gateCapabilities } from '../core/gate-capabilities.ts'
import { notInstalled } from '../core/not-installed.ts'
import { quotaStatus } from '../core/quota.ts'
import { authGuidance, detectAuth } from '../files/agent-auth.ts'
import { type ConfigHost, editAgentConfig, readAgentConfig, writeAgentConfig } from '../files/agent-config.ts'
import { listFiles } from '../files/list-files.ts'
import { readLines } from '../files/read-lines.ts'
import { openReadOnly, type ReadOnlyDatabase } from '../files/sqlite.ts'
import { allowedEnvironment } from '../process/environment.ts'
import { findBinary } from '../process/find-binary.ts'
import { inquire } from '../process/inquire.ts'
import { type AdapterHost, BaseAgentAdapter } from './base.ts'
import { completeModels } from './kit/discovered-models.ts'
import { readScreen, type ScreenRule } from './kit/screen-rules.ts'
import { noSessions } from './no-sessions.ts'
import { PluginCommands, type PluginReaders } from './plugin-commands.ts'
import { storePath } from './session-stores.ts'
import { planRestore, transcriptActivity } from './stored-session.ts'

/** The pure parts that make up a built-in adapter: one property for each file in its folder. */
export interface AdapterParts {
  manifest: AdapterManifest
  buildSpawnArgs(options: RunOptions): SpawnArgs
  createDialogue: DialogueFactory
  /** Left out where the store is not known, or is not on this machine. */
  sessions?: SessionStore
  hooks?: AdapterHooks
  endpointOverride?(endpoint: EndpointOverride): EndpointPlan
  terminal?: AdapterTerminal
  /** Left out where the CLI does not report which models it can use. */
  models?: Inquiry<DiscoveredModel[]>
  /** Left out where the CLI does not report how much of a plan is used. */
  quota?: Inquiry<QuotaWindow[]>
  /** Left out where the CLI has no subcommands for plugins. */
  plugins?: PluginReaders
}

/** The agent's own screen: the `terminal.ts` of an adapter. */
export interface AdapterTerminal {
  plan(options: RunOptions): LaunchPlan
  screen: readonly ScreenRule[]
}

/** Runs of an agent that keeps nothing on this machine are in our own records only. */
const OUR_FOLDER = '~/.agent-mux'

const DATABASE_SESSION = /^(.*)#([^#]+)$/s

async function withDatabase<Result>(file: string, use: (database: ReadOnlyDatabase) => Result): Promise<Result> {
  const database = await openReadOnly(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

const DIALOGUES = new WeakMap<Record<string, unknown>, Dialogue>()

/** One dialogue for each run, found by the run's own state bag. */
function dialogueOf(context: ParseContext, create: DialogueFactory): Dialogue {
  const known = DIALOGUES.get(context.adapterState)
  if (known) return known
  const dialogue = create({ agent: context.agent, prompt: '', nonInteractive: true, debug: context.debug })
  DIALOGUES.set(context.adapterState, dialogue)
  return dialogue
}

/** Binds an adapter's parts to the documented class shape. Holds no logic of any one agent. */
export class BuiltInAdapter extends BaseAgentAdapter {
  override readonly manifest: AdapterManifest
  readonly agent
  readonly displayName
  readonly cliCommand
  readonly minVersion
  readonly capabilities
  readonly models
  readonly defaultModelId
  readonly configSchema
  readonly hostEnvSignals
  readonly createDialogue: DialogueFactory
  readonly endpointOverride?: (endpoint: EndpointOverride) => EndpointPlan
  readonly planHooks?: (context: HookContext) => HookPlan
  readonly readHook?: (event: string, payload: unknown) => HookReading | null
  readonly planLaunch?: (options: RunOptions) => LaunchPlan
  readonly readScreen?: (lines: readonly string[]) => ScreenSign | null
  readonly discoverModels?: (cwd?: string) => Promise<ModelCapabilities[]>
  readonly #parts: AdapterParts
  readonly #sessions: SessionStore
  readonly #plugins: PluginCommands | null

  constructor(parts: AdapterParts, host: Partial<AdapterHost> = {}) {
    super(host)
    const { manifest } = parts
    this.#parts = parts
    this.#sessions = parts.sessions ?? noSessions
    this.manifest = manifest
    this.agent = manifest.agent
    this.displayName = manifest.displayName
    this.cliCommand = manifest.cliCommand
    this.minVersion = manifest.minVersion
    this.capabilities = manifest.capabilities
    this.models = manifest.models
    this.defaultModelId = manifest.defaultModelId
    this.configSchema = manifest.configSchema
    this.hostEnvSignals = manifest.hostEnvSignals
    this.createDialogue = parts.createDialogue
    const { endpointOverride } = parts
    this.endpointOverride =
      endpointOverride && ((given) => endpointOverride({ ...given, protocol: protocolOf(this.capabilities, given) }))
    this.planHooks = parts.hooks?.plan
    this.readHook = parts.hooks?.read
    const { models, plugins, terminal } = parts
    this.#plugins = plugins ? new PluginCommands(manifest, plugins, (inquiry) => this.#ask(inquiry)) : null
    this.discoverModels = models && ((cwd) => this.#discoverModels(models, cwd))
    this.planLaunch = terminal && ((options) => this.#planLaunch(terminal, options))
    this.readScreen = terminal && ((lines) => readScreen(lines, terminal.screen))
  }

  /** Refuses first what the manifest denies: the agent's own part answers only for what no capability says. */
  buildSpawnArgs(options: RunOptions): SpawnArgs {
    gateCapabilities(options, this.capabilities, this.models)
    return this.#parts.buildSpawnArgs(options)
  }

  #planLaunch(terminal: AdapterTerminal, options: RunOptions): LaunchPlan {
    gateCapabilities(options, this.capabilities, this.models)
    return terminal.plan(options)
  }

  /** The documented line-by-line form, on top of the dialogue kept in `context.adapterState`. */
  parseEvent(line: string, context: ParseContext): AgentEvent | AgentEvent[] | null {
    const events: AgentEvent[] = []
    for (const effect of dialogueOf(context, this.createDialogue).onLine(line, context.source)) {
      const draft = 'emit' in effect ? effect.emit : 'fail' in effect ? effect.fail.event : null
      if (draft === null) continue
      completeDraft(draft, { runId: context.runId, agent: context.agent, timestamp: 0 })
      events.push(draft)
    }
    return events.length === 0 ? null : events
  }

  detectAuth(): Promise<AuthState> {
    return detectAuth(this.manifest, this.host)
  }

  getAuthGuidance(): AuthSetupGuidance {
    return authGuidance(this.manifest)
  }

  sessionDir(): string {
    return 'isSession' in this.#sessions ? this.#store() : dirname(this.#store())
  }

  /** Where no store is known: the agent's own folder, in which nothing is looked for. */
  #store(): string {
    const { sessionDir, configSchema, directories } = this.manifest
    const [config] = configSchema.configFilePaths
    const own = sessionDir ?? (config === undefined ? OUR_FOLDER : dirname(config))
    return storePath(this.agent, this.host) ?? placeOf(own === '~' ? OUR_FOLDER : own, directories, this.host)
  }

  async listSessionFiles(cwd?: string): Promise<string[]> {
    const sessions = this.#sessions
    const store = this.#store()
    if ('isSession' in sessions) return listFiles(store, (path) => sessions.isSession(path, cwd))
    if (!existsSync(store)) return []
    const ids = await withDatabase(store, (database) => sessions.list(database, cwd))
    return ids.map((id) => `${store}#${id}`)
  }

  async parseSessionFile(filePath: string): Promise<Session> {
    const sessions = this.#sessions
    if ('isSession' in sessions) return sessions.read(readLines(filePath), filePath)
    const [, file = filePath, id = ''] = DATABASE_SESSION.exec(filePath) ?? []
    const session = await withDatabase(file, (database) => sessions.read(database, id))
    if (session) return session
    throw new AgentMuxError('SESSION_NOT_FOUND', `There is no session ${id} in ${file}`)
  }

  async #discoverModels(models: Inquiry<DiscoveredModel[]>, cwd?: string): Promise<ModelCapabilities[]> {
    const found = await this.#ask(models, cwd)
    return completeModels(this.agent, found, this.models, new Date().toISOString().slice(0, 10))
  }

  async getQuotaStatus(): Promise<QuotaStatus | null> {
    const { quota } = this.#parts
    if (!quota) throw new CapabilityError(this.agent, 'telling how much of a plan is used')
    const windows = await this.#ask(quota, this.host.homeDir)
    return windows.length === 0 ? null : quotaStatus(this.agent, windows, Date.now(), 'cli')
  }

  override listPlugins(): Promise<InstalledPlugin[]> {
    return this.#plugins?.list() ?? super.listPlugins()
  }

  override installPlugin(pluginId: string, options?: PluginInstallOptions): Promise<InstalledPlugin> {
    return this.#plugins?.install(pluginId, options) ?? super.installPlugin(pluginId, options)
  }

  override uninstallPlugin(pluginId: string): Promise<void> {
    return this.#plugins?.uninstall(pluginId) ?? super.uninstallPlugin(pluginId)
  }

  override updatePlugin(pluginId: string): Promise<InstalledPlugin> {
    return this.#plugins?.update(pluginId) ?? super.updatePlugin(pluginId)
  }

  override searchPlugins(query: string, options?: PluginSearchOptions): Promise<PluginListing[]> {
    return this.#plugins?.search(query, options) ?? super.searchPlugins(query, options)
  }

  async #ask<Answer>(inquiry: Inquiry<Answer>, cwd = this.host.cwd ?? process.cwd()): Promise<Answer> {
    const env = allowedEnvironment(this.host.env, this.manifest.passEnv ?? [])
    if (findBinary(this.cliCommand, env) === null) throw notInstalled(this, this.cliCommand)
    return inquire(inquiry, { command: this.cliCommand, env, cwd })
  }

  planRestore(session: SessionReference): Promise<RestorePlan> {
    return planRestore(this, session, this.#parts.sessions !== undefined)
  }

  getActivityState(session: SessionReference, readyThresholdMs?: number): Promise<Fact | null> {
    return transcriptActivity(this, session, readyThresholdMs)
  }

  /** Without a directory, of the one that we are in: what counts for an agent that is started here. */
  readConfig(cwd?: string): Promise<AgentConfig> {
    return readAgentConfig(this.configSchema, this.#configHost(), cwd ?? process.cwd())
  }

  writeConfig(config: Partial<AgentConfig>, cwd?: string): Promise<void> {
    return writeAgentConfig(this.configSchema, config, this.#configHost(), cwd)
  }

  editConfig(change: (current: AgentConfig) => Partial<AgentConfig>, cwd?: string): Promise<void> {
    return editAgentConfig(this.configSchema, change, this.#configHost(), cwd)
  }

  #configHost(): ConfigHost {
    return { ...this.host, directories: this.manifest.directories }
  }
}

export type AdapterClass = new (host?: Partial<AdapterHost>) => BuiltInAdapter

/** The class of one adapter: `export class FooAdapter extends adapterOf({ manifest, … }) {}`. */
export function adapterOf(parts: AdapterParts): AdapterClass {
  return class extends BuiltInAdapter {
    constructor(host: Partial<AdapterHost> = {}) {
      super(parts, host)
    }
  }
}
