import { isAcpName } from '../adapters/families/acp/generic.ts'
import { builtInAdapters } from '../adapters/index.ts'
import type { AgentAdapter } from '../contract/adapter.ts'
import { type FieldError, ValidationError } from '../contract/errors.ts'
import type { ModelRegistry } from '../contract/model-registry.ts'
import type { AgentName } from '../contract/names.ts'
import { type OptionAt, optionsAt } from '../contract/options.ts'
import type { OutputOf, OutputSchema } from '../contract/output-schema.ts'
import type { PluginManager } from '../contract/plugins.ts'
import type { QuotaManager } from '../contract/quota.ts'
import type { AdapterRegistry } from '../contract/registry.ts'
import type { RunHandle } from '../contract/run-handle.ts'
import type { RunOptions, RunOptionsFor } from '../contract/run-options.ts'
import type { SessionManager } from '../contract/session-manager.ts'
import type { WorktreeManager } from '../contract/worktrees.ts'
import { splitCommandLine } from '../core/command-line.ts'
import { gateCapabilities, missingSampling } from '../core/gate-capabilities.ts'
import { notInstalled } from '../core/not-installed.ts'
import { jsonSchemaOf, promptWithSchema, withoutDialect } from '../core/output-schema.ts'
import { pricesFor } from '../core/prices.ts'
import { ulid } from '../core/ulid.ts'
import { AgentRunHandle } from '../engine/handle.ts'
import type { RunIdentity } from '../engine/run-events.ts'
import type { RunTap } from '../engine/run-input.ts'
import { unknownName, validateOptions } from '../engine/validate-options.ts'
import { dataDirectory } from '../files/data-dir.ts'
import { inlineImages } from '../files/inline-images.ts'
import { readPolicyFile } from '../files/policy-file.ts'
import { openPrices } from '../files/prices.ts'
import { findBinary } from '../process/find-binary.ts'
import type { AuthManager } from './auth.ts'
import type { ConfigManager } from './config.ts'
import { findLocations, layerOptions, readConfig, settingsAsOptions } from './defaults.ts'
import { detectHost, type HostHarnessInfo } from './detect-host.ts'
import { authOf, configOf, pluginsOf, quotaOf } from './managers.ts'
import { Models } from './models.ts'
import { NamedAgents } from './named-agents.ts'
import { openUsage } from './open-usage.ts'
import { Profiles } from './profiles.ts'
import { projectOptions } from './project.ts'
import { ProjectTrust } from './project-trust.ts'
import { recordLineage } from './record-lineage.ts'
import { type RegisteredAgent, Registry } from './registry.ts'
import { requireDirectories } from './require-directories.ts'
import { requirePrice } from './require-price.ts'
import { sessionsOf } from './sessions.ts'
import { TrustStore } from './trust-store.ts'
import { worktreesOf } from './worktrees.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The run options that `config.json` may set for every run, and where our files are. */
export interface ClientOptions extends Pick<RunOptions, OptionAt<'settings'>> {
  defaultAgent?: AgentName | undefined
  defaultModel?: string | undefined
  configDir?: string | undefined
  projectConfigDir?: string | undefined
}

/** `await using mux = createClient()` ends its runs that still work, and lets go of the session index. */
export interface AgentMuxClient extends AsyncDisposable {
  /**
   * Starts a run. Throws for what can be known before a process exists: unknown agent, bad options, a missing
   * capability or binary. What only its adapter knows, which is loaded then, ends the run before a process exists: the
   * promise rejects. Everything later is reported by events and the result.
   */
  run<const Schema extends OutputSchema>(options: RunOptionsFor<Schema>): RunHandle<OutputOf<Schema>>
  run(options: RunOptions): RunHandle
  /** Throws what `run` throws at once, and starts nothing. Returns the options with profile and settings in them. */
  check(options: RunOptions): RunOptions
  /**
   * The options with the whole ids of the sessions that they name by a part of one, `agent:id` or the name of a managed
   * session. Rejects with SESSION_NOT_FOUND for one that the agent does not have. A run does so by itself.
   */
  resolveSessions(options: RunOptions): Promise<RunOptions>
  /** What profile and settings would give to a run there. */
  defaults(where?: Pick<RunOptions, 'cwd' | 'profile'>): Partial<RunOptions>
  readonly adapters: AdapterRegistry
  readonly models: ModelRegistry
  readonly auth: AuthManager
  /** The agents' own settings files. */
  readonly config: ConfigManager
  /** The agents' plugins, through their own CLIs. */
  readonly plugins: PluginManager
  /** How much of the user's plans is used. */
  readonly quota: QuotaManager
  readonly profiles: Profiles
  /** Which projects may widen what the user allows. */
  readonly trust: ProjectTrust
  /** All sessions of all agents, no matter who started them. */
  readonly sessions: SessionManager
  /** Worktrees of git, so that runs do not get in each other's way. */
  readonly worktrees: WorktreeManager
  /** The agent this very process runs below, if any. */
  detectHost(env?: Environment | { env: Environment }): HostHarnessInfo | null
}

/** Synchronous and silent: no I/O, no global handlers. */
export function createClient(clientOptions: ClientOptions = {}): AgentMuxClient {
  return createClientIn(process.env, clientOptions)
}

/**
 * A client that takes the given variables for the environment, as `amux verify` does to keep the user's keys out.
 * `tapOf` gives each run its tap.
 */
export function createClientIn(
  processEnv: Readonly<Record<string, string | undefined>>,
  clientOptions: ClientOptions = {},
  tapOf: (run: RunIdentity) => RunTap | undefined = () => undefined,
): AgentMuxClient {
  validateClientOptions(clientOptions)
  const { configDir, projectConfigDir, ...clientDefaults } = clientOptions
  const locate = (cwd: string) => findLocations({ configDir, projectConfigDir }, processEnv, cwd)
  const namedAgents = new NamedAgents(() => locate(process.cwd()).configDir)
  const registry = new Registry(builtInAdapters, Date.now, (agent) => namedAgents.find(agent))
  const trust = new TrustStore(() => locate(process.cwd()).configDir)
  const profiles = new Profiles(() => locate(process.cwd()), trust)
  const prices = () => openPrices(locate(process.cwd()).configDir)

  const active = new Set<RunHandle>()
  const sessions = sessionsOf(registry, processEnv, () => locate(process.cwd()).configDir)

  const resolveOptions = (options: RunOptions): { options: RunOptions; notices: string[] } => {
    const locations = locate(options.cwd ?? process.cwd())
    const user = settingsAsOptions(readConfig(locations.configDir))
    const project = projectOptions(locations, user, trust)
    const layers = [settingsAsOptions({ ...clientDefaults }), project.options, user]
    if (options.profile === undefined) return { options: layerOptions(options, layers), notices: project.notices }
    const profile = profiles.resolve(options.profile, locations, { ...layerOptions({ prompt: '' }, layers) })
    return {
      options: layerOptions(options, [profile.options, ...layers]),
      notices: [...project.notices, ...profile.notices],
    }
  }

  const prepare = (given: RunOptions) => {
    if (typeof given !== 'object' || given === null) validateOptions(given)
    const { options, notices } = resolveOptions(given)
    validateOptions(options)
    const entry = registry.get(options.agent ?? '')
    gateCapabilities(options, entry.capabilities, entry.models)
    const { options: ruled, isUnattended } = withPolicy(inlineImages(options, entry.imagesAsData), entry)
    const resolved = { ...ruled, cwd: options.cwd ?? process.cwd() }
    if (entry.agent !== REMOTE) requireDirectories(resolved)
    requireBinary(entry, resolved, processEnv)
    requirePrice(entry, resolved, prices)
    const { outputSchema } = options
    return { entry, resolved: withJsonSchema(resolved, entry), notices, outputSchema, isUnattended }
  }

  const resolveSessions = async (options: RunOptions): Promise<RunOptions> => {
    const { agent = '', sessionId, forkSessionId, env, cwd } = options
    if (sessionId === undefined && forkSessionId === undefined) return options
    const { resolveSessions: resolve } = await import('./resolve-session.ts')
    const { configDir: directory } = locate(cwd ?? process.cwd())
    const places = { registry, env: { ...processEnv, ...env }, configDir: directory }
    return { ...options, ...(await resolve(agent, { sessionId, forkSessionId }, places)) }
  }

  function run<const Schema extends OutputSchema>(given: RunOptionsFor<Schema>): RunHandle<OutputOf<Schema>>
  function run(given: RunOptions): RunHandle
  function run(given: RunOptions): RunHandle {
    const { entry, resolved, notices, outputSchema, isUnattended } = prepare(given)
    const locations = locate(resolved.cwd)
    const dataDir = dataDirectory(locations.configDir, processEnv)
    const { runId = ulid(Date.now()) } = resolved
    const identity = { runId, agent: entry.agent, options: { ...resolved, runId } }
    const tap = tapOf(identity)
    const handle = new AgentRunHandle({
      ...identity,
      tap,
      isUnattended,
      policyIsElsewhere: entry.agent === REMOTE,
      // The caller that taps a run has resolved its session: a runner opens no index.
      resolveOptions: tap ? undefined : resolveSessions,
      loadAdapter: entry.load,
      processEnv,
      outputSchema,
      notices: [...notices, ...noticesFor(entry, resolved)],
      lateNotice: (adapter) => olderThanNeeded(entry, adapter, resolved, processEnv, locations.configDir),
      openUsage: (env, since, ownStore) => openUsage(entry, env, resolved.cwd, since, ownStore),
      priceOf: pricesFor(resolved.price, prices().priceOf),
      onResult: async (result) => {
        const { appendToRunIndex } = await import('./run-index.ts')
        await appendToRunIndex(locations.projectDir, dataDir, result, resolved.projectId)
      },
    })
    recordLineage(handle, resolved, dataDir)
    active.add(handle)
    void handle.catch(() => {}).then(() => active.delete(handle))
    return handle
  }

  return {
    run,
    check: (options) => prepare(options).resolved,
    resolveSessions: async (options) =>
      resolveSessions({ ...options, agent: options.agent ?? resolveOptions(options).options.agent }),
    defaults: (where = {}) => resolveOptions({ ...where, prompt: '' }).options,
    adapters: registry,
    models: new Models(registry, prices, () => dataDirectory(locate(process.cwd()).configDir, processEnv)),
    auth: authOf(registry),
    config: configOf(registry),
    plugins: pluginsOf(registry),
    quota: quotaOf(registry, processEnv),
    profiles,
    trust: new ProjectTrust(locate, trust),
    sessions,
    worktrees: worktreesOf(() => dataDirectory(locate(process.cwd()).configDir, processEnv)),
    detectHost: (given = processEnv) => {
      const env = typeof given.env === 'object' ? given.env : { ...given, env: undefined }
      return detectHost(registry.entries(), env)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...active].map((handle) => handle.abort()))
      sessions.close()
    },
  }
}

/**
 * The rules of a policy in place of its path. A run in which nobody can be asked uses the form of the agent that asks all
 * the same: what the rules do not settle is denied.
 */
function withPolicy(options: RunOptions, { agent }: RegisteredAgent): { options: RunOptions; isUnattended: boolean } {
  const { policy, nonInteractive = false } = options
  if (policy === undefined) return { options, isUnattended: false }
  const rules = typeof policy === 'string' ? readPolicyFile(policy) : policy
  if (agent === REMOTE) return { options: { ...options, policy: rules }, isUnattended: false }
  // Said, not implied: without a mode some agents go by the user's own settings, which may allow everything.
  const approvalMode = options.approvalMode ?? 'prompt'
  return {
    options: { ...options, approvalMode, policy: rules, nonInteractive: undefined },
    isUnattended: nonInteractive,
  }
}

/** Agents take JSON schemas; one that has no place for them finds it below the prompt. */
function withJsonSchema<Options extends RunOptions>(options: Options, { capabilities }: RegisteredAgent): Options {
  if (options.outputSchema === undefined) return options
  const asked = { ...options, outputSchema: withoutDialect(jsonSchemaOf(options.outputSchema)) }
  return capabilities.supportsStructuredOutput ? asked : { ...asked, prompt: promptWithSchema(asked) }
}

/** Built-in agents are looked for before anything starts; a plugin's `buildSpawnArgs` may start something else. */
function requireBinary(
  entry: RegisteredAgent,
  options: RunOptions,
  processEnv: Readonly<Record<string, string | undefined>>,
): void {
  if (entry.source !== 'built-in') return
  const line = options.env?.[entry.commandVariable ?? '']
  const command = line === undefined ? entry.cliCommand : splitCommandLine(line)?.[0]
  // What is not a command line at all is refused when the arguments are built.
  if (command === undefined || findBinary(command, { ...processEnv, ...options.env }) !== null) return
  if (line !== undefined) throw notInstalled(entry, command, `${entry.commandVariable} names it.`)
  const hint = isAcpName(entry.agent) ? 'Install it, or give its path: acp:"/path/to/program --acp".' : undefined
  throw notInstalled(entry, command, hint)
}

/** The version of a caller's own command says nothing about the agent that it starts. */
async function olderThanNeeded(
  entry: RegisteredAgent,
  adapter: AgentAdapter,
  { env }: RunOptions,
  processEnv: Readonly<Record<string, string | undefined>>,
  configDir: string,
): Promise<string | null> {
  if (entry.minVersion === undefined || env?.[entry.commandVariable ?? ''] !== undefined) return null
  const { tooOld } = await import('./installed-version.ts')
  return tooOld(entry, adapter, { env: { ...processEnv, ...env }, configDir })
}

function noticesFor(entry: RegisteredAgent, options: RunOptions): string[] {
  const { model } = options
  const notices: string[] = []
  const missing = missingSampling(options, entry.capabilities)
  if (missing.length > 0) notices.push(`${entry.agent} has no setting for ${missing.join(', ')}; ignored`)
  if (entry.overridesBuiltIn) notices.push(`A registered adapter replaces the built-in one for "${entry.agent}"`)
  const known = entry.models.some((one) => one.modelId === model || one.modelAlias === model)
  if (model !== undefined && entry.models.length > 0 && !known) {
    notices.push(`Model "${model}" is not in our list for ${entry.agent}; it is passed on as it is`)
  }
  return notices
}

/** There the rules are applied on the other side, where the files are. */
const REMOTE = 'agent-mux-remote'

const CLIENT_OPTIONS = ['defaultAgent', 'defaultModel', 'configDir', 'projectConfigDir', ...optionsAt('settings')]

function validateClientOptions(options: ClientOptions): void {
  // What a program without types gives: null is not "no options", as it is nowhere in the contract.
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const fault = { field: 'options', message: 'must be an object', received: options, expected: 'object' }
    throw new ValidationError([fault], 'Invalid client options')
  }
  const faults: FieldError[] = []
  for (const name of ['configDir', 'projectConfigDir'] as const) {
    const value = options[name]
    if (value !== undefined && !(typeof value === 'string' && value.startsWith('/')) && process.platform !== 'win32') {
      faults.push({ field: name, message: 'must be an absolute path', received: value, expected: 'absolute path' })
    }
  }
  const { configDir: _configDir, projectConfigDir: _projectDir, ...rest } = options
  for (const [name, value] of Object.entries(rest)) {
    if (!CLIENT_OPTIONS.includes(name))
      faults.push(unknownName(name, value, CLIENT_OPTIONS, 'an option of createClient'))
  }
  try {
    const { agent, model, ...fields } = settingsAsOptions({ ...rest })
    validateOptions({
      ...fields,
      agent: `${agent ?? 'x'}`,
      model: model === undefined ? undefined : `${model}`,
      prompt: 'x',
    })
  } catch (error) {
    if (error instanceof ValidationError) faults.push(...error.fields)
    else throw error
  }
  if (faults.length > 0) throw new ValidationError(faults, 'Invalid client options')
}
