import { isAcpName } from '../adapters/acp/generic.ts'
import { builtInAdapters } from '../adapters/index.ts'
import { AgentMuxError, type FieldError, ValidationError } from '../contract/errors.ts'
import type { ModelRegistry } from '../contract/model-registry.ts'
import type { AgentName } from '../contract/names.ts'
import type { PluginManager } from '../contract/plugins.ts'
import type { QuotaManager } from '../contract/quota.ts'
import type { AdapterRegistry } from '../contract/registry.ts'
import type { RunHandle } from '../contract/run-handle.ts'
import type { ApprovalMode, RetryPolicy, RunOptions } from '../contract/run-options.ts'
import type { SessionManager } from '../contract/session-manager.ts'
import { splitCommandLine } from '../core/command-line.ts'
import { gateCapabilities } from '../core/gate-capabilities.ts'
import { ulid } from '../core/ulid.ts'
import { AgentRunHandle } from '../engine/handle.ts'
import type { RunIdentity } from '../engine/run-events.ts'
import type { RunTap } from '../engine/run-input.ts'
import { validateOptions } from '../engine/validate-options.ts'
import { dataDirectory } from '../files/data-dir.ts'
import { inlineImages } from '../files/inline-images.ts'
import { openPrices } from '../files/prices.ts'
import { findBinary } from '../process/find-binary.ts'
import type { AuthManager } from './auth.ts'
import { findLocations, layerOptions, readSettings, settingsAsOptions } from './defaults.ts'
import { detectHost, type HostHarnessInfo } from './detect-host.ts'
import { authOf, pluginsOf, quotaOf } from './managers.ts'
import { Models } from './models.ts'
import { NamedAgents, ofProject } from './named-agents.ts'
import { Profiles } from './profiles.ts'
import { recordLineage } from './record-lineage.ts'
import { type RegisteredAgent, Registry } from './registry.ts'
import { sessionsOf } from './sessions.ts'

export interface ClientOptions {
  defaultAgent?: AgentName
  defaultModel?: string
  approvalMode?: ApprovalMode
  timeout?: number
  inactivityTimeout?: number
  retryPolicy?: RetryPolicy
  stream?: boolean | 'auto'
  configDir?: string
  projectConfigDir?: string
  debug?: boolean
  eventBufferSize?: number
}

export interface AgentMuxClient {
  /**
   * Starts a run. Throws for what can be known before a process exists: unknown agent, bad options, a missing
   * capability or binary. Everything later is told by events and the result.
   */
  run(options: RunOptions): RunHandle
  /** Throws what `run` would throw, and starts nothing. Returns the options with profile and settings in them. */
  check(options: RunOptions): RunOptions
  readonly adapters: AdapterRegistry
  readonly models: ModelRegistry
  readonly auth: AuthManager
  /** The agents' plugins, through their own CLIs. */
  readonly plugins: PluginManager
  /** How much of the user's plans is used. */
  readonly quota: QuotaManager
  readonly profiles: Profiles
  /** All sessions of all agents, whoever started them. */
  readonly sessions: SessionManager
  /** The agent this very process runs below, if any. */
  detectHost(env?: Readonly<Record<string, string | undefined>>): HostHarnessInfo | null
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
  const profiles = new Profiles(() => locate(process.cwd()))
  const prices = () => openPrices(locate(process.cwd()).configDir)

  const resolveOptions = (options: RunOptions): RunOptions => {
    const locations = locate(options.cwd ?? process.cwd())
    return layerOptions(options, [
      options.profile === undefined ? {} : { ...profiles.apply(options.profile) },
      settingsAsOptions({ ...clientDefaults }),
      settingsAsOptions(ofProject(readSettings(`${locations.projectDir}/config.json`))),
      settingsAsOptions(readSettings(`${locations.configDir}/config.json`)),
    ])
  }

  const prepare = (given: RunOptions) => {
    if (typeof given !== 'object' || given === null) validateOptions(given)
    const options = resolveOptions(given)
    validateOptions(options)
    const entry = registry.get(options.agent ?? '')
    gateCapabilities(options, entry.capabilities, entry.models)
    const resolved = { ...inlineImages(options, entry.imagesAsData), cwd: options.cwd ?? process.cwd() }
    requireBinary(entry, resolved, processEnv)
    return { entry, resolved }
  }

  const run = (given: RunOptions): RunHandle => {
    const { entry, resolved } = prepare(given)
    const locations = locate(resolved.cwd)
    const dataDir = dataDirectory(locations.configDir, processEnv)
    const identity = { runId: resolved.runId ?? ulid(Date.now()), agent: entry.agent, options: resolved }
    const handle = new AgentRunHandle({
      ...identity,
      tap: tapOf(identity),
      loadAdapter: entry.load,
      processEnv,
      notices: noticesFor(entry, resolved),
      priceOf: prices().priceOf,
      onResult: async (result) => {
        const { appendToRunIndex } = await import('./run-index.ts')
        await appendToRunIndex(locations.projectDir, dataDir, result)
      },
    })
    recordLineage(handle, resolved, dataDir)
    return handle
  }

  return {
    run,
    check: (options) => prepare(options).resolved,
    adapters: registry,
    models: new Models(registry, prices, () => dataDirectory(locate(process.cwd()).configDir, processEnv)),
    auth: authOf(registry),
    plugins: pluginsOf(registry),
    quota: quotaOf(registry, processEnv),
    profiles,
    sessions: sessionsOf(registry, processEnv, () => locate(process.cwd()).configDir),
    detectHost: (env = processEnv) => detectHost(registry.entries(), env),
  }
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
  // What is no command line at all is told when the arguments are built.
  if (command === undefined || findBinary(command, { ...processEnv, ...options.env }) !== null) return
  const missing = /[\\/]/.test(command) ? `there is no \`${command}\`` : `no \`${command}\` on PATH`
  throw new AgentMuxError('AGENT_NOT_INSTALLED', `${entry.displayName} is not installed: ${missing}`, {
    hint: line === undefined ? installHint(entry) : `${entry.commandVariable} names it.`,
  })
}

function installHint({ agent, capabilities }: RegisteredAgent): string | undefined {
  if (isAcpName(agent)) return 'Name a program that is there: acp:"my-agent --acp".'
  const method = capabilities.installMethods.find(({ platform }) => platform === 'all' || platform === process.platform)
  return method && `Install it with: ${method.command}`
}

function noticesFor(entry: RegisteredAgent, { model }: RunOptions): string[] {
  const notices: string[] = []
  if (entry.overridesBuiltIn) notices.push(`A registered adapter replaces the built-in one for "${entry.agent}"`)
  const known = entry.models.some((one) => one.modelId === model || one.modelAlias === model)
  if (model !== undefined && entry.models.length > 0 && !known) {
    notices.push(`Model "${model}" is not in our list for ${entry.agent}; it is passed on as it is`)
  }
  return notices
}

function validateClientOptions(options: ClientOptions): void {
  const faults: FieldError[] = []
  for (const name of ['configDir', 'projectConfigDir'] as const) {
    const value = options[name]
    if (value !== undefined && !(typeof value === 'string' && value.startsWith('/')) && process.platform !== 'win32') {
      faults.push({ field: name, message: 'must be an absolute path', received: value, expected: 'absolute path' })
    }
  }
  const { configDir: _configDir, projectConfigDir: _projectDir, ...rest } = options
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
