import type { AuthMethod } from '../../contract/auth.ts'
import type { AgentCapabilities, InstallMethod } from '../../contract/capabilities.ts'
import type { AdapterManifest } from '../../contract/manifest.ts'
import type { ModelCapabilities } from '../../contract/models.ts'
import type { AgentName } from '../../contract/names.ts'
import type { ApprovalMode, ThinkingEffort } from '../../contract/run-options.ts'
import { variablesIn } from '../../core/agent-paths.ts'
import { type ConfigFacts, describeConfig } from './describe-config.ts'

/** What has to be said of a model; the rest is the same for most. */
export type ModelFacts = Pick<ModelCapabilities, 'modelId' | 'contextWindow' | 'maxOutputTokens'> &
  Partial<ModelCapabilities>

type ManifestFacts = Omit<AdapterManifest, 'capabilities' | 'configSchema' | 'models'> & {
  /**
   * Only what differs from `LIVE`, or, after `...ONE_WAY`, from that. Of the methods to sign in, only those that neither
   * a variable nor a file in `auth` reports.
   */
  capabilities?: Partial<AgentCapabilities>
  models?: readonly ModelFacts[]
  configSchema?: ConfigFacts
}

export const UP_TO_HIGH: ThinkingEffort[] = ['low', 'medium', 'high']
export const UP_TO_XHIGH: ThinkingEffort[] = [...UP_TO_HIGH, 'xhigh']
export const UP_TO_MAX: ThinkingEffort[] = [...UP_TO_XHIGH, 'max']

export const EVERY_APPROVAL_MODE: ApprovalMode[] = ['prompt', 'accept-edits', 'yolo', 'deny']

/** What the manifest says already where it speaks of keys, files and packages. */
type Implied = 'authMethods' | 'authFiles' | 'installMethods'

/** What an agent can do that is talked to while it runs: what the Agent Client Protocol gives by itself. */
const LIVE: Omit<AgentCapabilities, 'agent' | Implied> = {
  canResume: true,
  canFork: false,
  supportsMultiTurn: true,
  sessionPersistence: 'none',
  supportsSessionId: false,
  supportsEphemeral: false,
  supportsTextStreaming: true,
  supportsToolCallStreaming: false,
  supportsThinkingStreaming: true,
  supportsNativeTools: true,
  supportsMCP: true,
  supportsParallelToolCalls: true,
  requiresToolApproval: true,
  // Whether an agent asks before it acts is its own affair, so no mode that only refuses is claimed here.
  approvalModes: ['prompt', 'accept-edits', 'yolo'],
  supportsApprovals: true,
  supportsQuestions: false,
  supportsToolLists: false,
  supportsAddDirs: false,
  supportsThinking: true,
  thinkingEffortLevels: [],
  supportsThinkingBudgetTokens: false,
  supportsThinkingOverride: false,
  // As a block before the first prompt, where the agent has no place for it.
  systemPromptModes: ['append', 'prepend'],
  supportsJsonMode: false,
  supportsStructuredOutput: false,
  supportsMaxTurns: false,
  samplingOptions: [],
  // Most agents have skills and read AGENTS.md, but nothing adds one to a single run.
  supportsSkills: false,
  supportsAgentsMd: false,
  skillsFormat: null,
  supportsSubagentDispatch: false,
  supportsParallelExecution: false,
  supportsInteractiveMode: true,
  supportsStdinInjection: true,
  supportsInterrupt: true,
  supportsSteer: false,
  supportsSetModel: false,
  endpointProtocols: [],
  supportsTerminal: false,
  supportsImageInput: true,
  supportsImageOutput: false,
  supportsFileAttachments: true,
  supportsPlugins: false,
  pluginFormats: [],
  pluginRegistries: [],
  supportedPlatforms: ['darwin', 'linux', 'win32'],
  requiresGitRepo: false,
  requiresPty: false,
  structuredSessionTransport: 'persistent',
}

/** What an agent cannot do that takes a prompt, prints, and ends. */
export const ONE_WAY: Partial<AgentCapabilities> = {
  supportsMultiTurn: false,
  supportsMCP: false,
  requiresToolApproval: false,
  supportsApprovals: false,
  supportsInteractiveMode: false,
  supportsStdinInjection: false,
  supportsInterrupt: false,
  supportsImageInput: false,
  supportsFileAttachments: false,
  structuredSessionTransport: 'restart-per-turn',
}

/** A model of today that thinks, calls tools and streams, unless the facts say otherwise. */
export function describeModel(agent: AgentName, facts: ModelFacts): ModelCapabilities {
  const { modelId, modelAlias, supportsThinking = true } = facts
  return {
    agent,
    displayName: modelId,
    deprecated: false,
    supportsThinking,
    supportsToolCalling: true,
    supportsParallelToolCalls: true,
    supportsToolCallStreaming: false,
    supportsJsonMode: false,
    supportsStructuredOutput: false,
    supportsTextStreaming: true,
    supportsThinkingStreaming: supportsThinking,
    supportsImageInput: true,
    supportsImageOutput: false,
    supportsFileInput: false,
    providerModelId: modelId,
    deployment: 'hosted',
    cliArgKey: '--model',
    cliArgValue: modelAlias ?? modelId,
    lastUpdated: '2026-11-15',
    source: 'bundled',
    ...facts,
  }
}

/** What follows the command for plugins; null where the CLI has no word for it. */
interface PluginWords {
  list?: string | null
  install?: string
  uninstall?: string | null
  update?: string | null
  search?: string
}

/** The subcommands for plugins, such as `claude plugin install`. */
export function pluginCommands(command: string, words: PluginWords = {}): Partial<AgentCapabilities> {
  const { list = 'list', install = 'install', uninstall = 'uninstall', update = 'update', search = null } = words
  const whole = (word: string) => `${command} ${word}`
  // Left out rather than undefined: a manifest is written down as JSON.
  return {
    supportsPlugins: true,
    pluginInstallCmd: whole(install),
    ...(list !== null && { pluginListCmd: whole(list) }),
    ...(uninstall !== null && { pluginUninstallCmd: whole(uninstall) }),
    ...(update !== null && { pluginUpdateCmd: whole(update) }),
    ...(search !== null && { pluginSearchCmd: whole(search) }),
  }
}

/** How most are installed; the notes say what npm itself does not. */
export function npmInstall(npmPackage: string, notes?: string): InstallMethod {
  return { platform: 'all', type: 'npm', command: `npm install -g ${npmPackage}`, ...(notes && { notes }) }
}

function impliedBy(
  { auth, npmPackage }: ManifestFacts,
  reported: readonly AuthMethod[] = [],
): Pick<AgentCapabilities, Implied> {
  return {
    authMethods: [...new Set([...auth.envVars, ...auth.files].map(({ method }) => method).concat(reported))],
    authFiles: auth.files.map(({ path }) => path),
    installMethods: npmPackage === undefined ? [] : [npmInstall(npmPackage)],
  }
}

/** A key that the agent is to find must reach it, and so must a variable that says where its files are. */
function passedOn({ auth, directories = {}, passEnv = [] }: ManifestFacts): string[] {
  const isPassed = (name: string) =>
    passEnv.some((pattern) => pattern === name || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))))
  const inFiles = auth.files.flatMap(({ path, variable }) => [...variablesIn(path), ...(variable ? [variable] : [])])
  const switches = [...(auth.otherKeys ?? []), ...(auth.elsewhere ?? [])]
  const named = [...auth.envVars.map(({ name }) => name), ...inFiles, ...switches]
  const moving = Object.values(directories).flat().flatMap(variablesIn)
  return [...new Set([...named, ...moving])].filter((name) => !isPassed(name)).concat(passEnv)
}

/** A whole manifest from what is particular to one agent. */
export function defineManifest(reported: ManifestFacts): AdapterManifest {
  const { capabilities = {}, models = [], configSchema, ...facts } = reported
  const { agent } = facts
  const { authMethods, ...claims } = capabilities
  return {
    versionArgs: ['--version'],
    ...facts,
    passEnv: passedOn(reported),
    capabilities: { agent, ...LIVE, ...impliedBy(reported, authMethods), ...claims },
    models: models.map((model) => describeModel(agent, model)),
    configSchema: describeConfig(agent, configSchema ?? { configFilePaths: [], configFormat: 'json' }),
  }
}
