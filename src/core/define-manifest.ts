import type { AgentCapabilities } from '../contract/capabilities.ts'
import type { AgentConfigSchema, ConfigField } from '../contract/config.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import type { ThinkingEffort } from '../contract/run-options.ts'

/** What has to be said of a model; the rest is the same for most. */
export type ModelFacts = Pick<ModelCapabilities, 'modelId' | 'contextWindow' | 'maxOutputTokens'> &
  Partial<ModelCapabilities>

export type FieldFacts = Pick<ConfigField, 'path' | 'label' | 'description'> & Partial<ConfigField>

export type ConfigFacts = Pick<AgentConfigSchema, 'configFilePaths' | 'configFormat'> & {
  projectConfigFilePaths?: string[]
  fields?: readonly FieldFacts[]
}

type ManifestFacts = Omit<AdapterManifest, 'capabilities' | 'configSchema' | 'models'> & {
  /** Only what differs from `LIVE`, or, after `...ONE_WAY`, from that. */
  capabilities?: Partial<AgentCapabilities>
  models?: readonly ModelFacts[]
  configSchema?: ConfigFacts
}

export const UP_TO_XHIGH: ThinkingEffort[] = ['low', 'medium', 'high', 'xhigh']
export const UP_TO_MAX: ThinkingEffort[] = [...UP_TO_XHIGH, 'max']

/** What an agent can do that is talked to while it runs: what the Agent Client Protocol gives by itself. */
const LIVE: Omit<AgentCapabilities, 'agent'> = {
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
  authMethods: [],
  authFiles: [],
  installMethods: [],
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

/** Whose names `AgentConfig` has for all agents. */
const NORMALIZED = new Set(['model', 'provider', 'allowedCommands', 'deniedCommands', 'mcpServers', 'env'])

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

/** A setting that may be left out and has the same name in the agent's file, unless the facts say otherwise. */
function describeField(facts: FieldFacts, scope: ConfigField['scope']): ConfigField {
  const { path, enumValues } = facts
  return {
    type: enumValues ? 'enum' : 'string',
    required: false,
    normalized: NORMALIZED.has(path),
    nativeKeyPath: path,
    scope,
    ...facts,
  }
}

function describeConfig(agent: AgentName, facts: ConfigFacts): AgentConfigSchema {
  const { configFilePaths, configFormat, projectConfigFilePaths = [], fields = [] } = facts
  const supportsProjectConfig = projectConfigFilePaths.length > 0
  const scope = supportsProjectConfig ? 'both' : 'global'
  return {
    agent,
    configFilePaths,
    projectConfigFilePaths,
    configFormat,
    supportsProjectConfig,
    fields: fields.map((field) => describeField(field, scope)),
  }
}

/** A whole manifest from what is particular to one agent. */
export function defineManifest({ capabilities, models = [], configSchema, ...facts }: ManifestFacts): AdapterManifest {
  const { agent } = facts
  return {
    versionArgs: ['--version'],
    ...facts,
    capabilities: { agent, ...LIVE, ...capabilities },
    models: models.map((model) => describeModel(agent, model)),
    configSchema: describeConfig(agent, configSchema ?? { configFilePaths: [], configFormat: 'json' }),
  }
}
