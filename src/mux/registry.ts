import type { AgentAdapter } from '../contract/adapter.ts'
import type { AgentCapabilities, InstallMethod } from '../contract/capabilities.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import type { AdapterRegistry, AgentAdapterInfo, InstalledAgentInfo } from '../contract/registry.ts'
import { suggest } from '../core/suggest.ts'
import { validateAdapter } from './validate-adapter.ts'

/** A built-in adapter is known by its manifest and loaded when it is first used. */
export interface BuiltInEntry {
  manifest: AdapterManifest
  load: () => Promise<AgentAdapter>
}

/** What the engine needs to know of an adapter before it is loaded. */
export interface RegisteredAgent {
  agent: AgentName
  displayName: string
  cliCommand: string
  commandVariable?: string
  minVersion?: string
  capabilities: AgentCapabilities
  models: readonly ModelCapabilities[]
  defaultModelId?: string
  source: 'built-in' | 'plugin'
  verification: AdapterManifest['verification']
  imagesAsData?: AdapterManifest['imagesAsData']
  hostEnvSignals: readonly string[]
  load: () => Promise<AgentAdapter>
  /** Registered over a built-in of the same name. */
  overridesBuiltIn: boolean
}

const CACHE_MS = 30_000

export class Registry implements AdapterRegistry {
  readonly #agents = new Map<AgentName, RegisteredAgent>()
  readonly #detections = new Map<AgentName, { at: number; info: Promise<InstalledAgentInfo> }>()
  readonly #now: () => number
  readonly #resolve: (agent: AgentName) => BuiltInEntry | null

  /** `resolve` knows agents that nobody has registered: those named by a command line. */
  constructor(
    builtIns: readonly BuiltInEntry[],
    now: () => number = Date.now,
    resolve: (agent: AgentName) => BuiltInEntry | null = () => null,
  ) {
    this.#now = now
    this.#resolve = resolve
    for (const entry of builtIns) this.#agents.set(entry.manifest.agent, fromManifest(entry))
  }

  list(): AgentAdapterInfo[] {
    return this.entries().map(({ agent, displayName, cliCommand, minVersion, source, verification }) => ({
      agent,
      displayName,
      cliCommand,
      minVersion,
      source,
      verification,
    }))
  }

  entries(): RegisteredAgent[] {
    return [...this.#agents.values()].sort((a, b) => (a.agent < b.agent ? -1 : 1))
  }

  installed(): Promise<InstalledAgentInfo[]> {
    return Promise.all(this.entries().map((entry) => this.#detect(entry)))
  }

  async detect(agent: AgentName): Promise<InstalledAgentInfo | null> {
    const entry = this.#find(agent)
    return entry ? this.#detect(entry) : null
  }

  capabilities(agent: AgentName): AgentCapabilities {
    return this.get(agent).capabilities
  }

  installInstructions(agent: AgentName, platform: NodeJS.Platform = process.platform): InstallMethod[] {
    const methods = this.get(agent).capabilities.installMethods ?? []
    return methods.filter((method) => method.platform === 'all' || method.platform === platform)
  }

  register(adapter: AgentAdapter): void {
    validateAdapter(adapter)
    const { agent } = adapter
    const known = this.#agents.get(agent)
    const overridesBuiltIn = known !== undefined && (known.source === 'built-in' || known.overridesBuiltIn)
    this.#agents.set(agent, fromAdapter(adapter, overridesBuiltIn))
    this.#detections.delete(agent)
  }

  unregister(agent: AgentName): void {
    this.get(agent)
    this.#agents.delete(agent)
    this.#detections.delete(agent)
  }

  load(agent: AgentName): Promise<AgentAdapter> {
    return this.get(agent).load()
  }

  get(agent: AgentName): RegisteredAgent {
    const entry = this.#find(agent)
    if (entry) return entry
    const names = [...this.#agents.keys()]
    const close = suggest(String(agent), names)
    throw new AgentMuxError('UNKNOWN_AGENT', `Unknown agent "${agent}"`, {
      hint: close ? `Did you mean "${close}"? \`amux agents\` lists all.` : `Known agents: ${names.sort().join(', ')}`,
    })
  }

  #find(agent: AgentName): RegisteredAgent | null {
    const known = this.#agents.get(agent)
    if (known) return known
    const resolved = this.#resolve(agent)
    return resolved && fromManifest(resolved)
  }

  #detect(entry: RegisteredAgent): Promise<InstalledAgentInfo> {
    const cached = this.#detections.get(entry.agent)
    if (cached && this.#now() - cached.at < CACHE_MS) return cached.info
    // Stored before it is done: those who ask meanwhile get the same probe.
    const info = import('./detect-agent.ts').then(({ detectAgent }) => detectAgent(entry))
    this.#detections.set(entry.agent, { at: this.#now(), info })
    return info
  }
}

function fromManifest({ manifest, load }: BuiltInEntry): RegisteredAgent {
  return {
    ...manifest,
    source: 'built-in',
    hostEnvSignals: manifest.hostEnvSignals ?? [],
    load,
    overridesBuiltIn: false,
  }
}

function fromAdapter(adapter: AgentAdapter, overridesBuiltIn: boolean): RegisteredAgent {
  const { agent, displayName, cliCommand, minVersion, capabilities, models, defaultModelId } = adapter
  return {
    ...{ agent, displayName, cliCommand, minVersion, capabilities, models, defaultModelId },
    source: 'plugin',
    verification: adapter.manifest?.verification ?? 'unverified',
    imagesAsData: adapter.manifest?.imagesAsData,
    hostEnvSignals: adapter.hostEnvSignals ?? [],
    load: () => Promise.resolve(adapter),
    overridesBuiltIn,
  }
}
