import type { AgentCapabilities } from '../../contract/capabilities.ts'
import type { AgentConfigSchema } from '../../contract/config.ts'
import type { AdapterManifest } from '../../contract/manifest.ts'

type Facts = Omit<AdapterManifest, 'capabilities' | 'configSchema' | 'models'> & {
  models?: AdapterManifest['models']
  capabilities?: Partial<AgentCapabilities>
  configSchema?: AgentConfigSchema
}

/** What an agent can do by the protocol alone. What it does not offer after all, it tells when it is started. */
function capabilitiesOf(agent: string): AgentCapabilities {
  return {
    agent,
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
    systemPromptModes: ['append'],
    supportsJsonMode: false,
    supportsStructuredOutput: false,
    supportsMaxTurns: false,
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
}

function noSettings(agent: string): AgentConfigSchema {
  const none = { fields: [], configFilePaths: [], projectConfigFilePaths: [] }
  return { agent, ...none, configFormat: 'json', supportsProjectConfig: false }
}

/** A manifest from what is known of an agent besides the protocol. */
export function acpManifest({ models = [], capabilities, configSchema, ...facts }: Facts): AdapterManifest {
  const { agent } = facts
  return {
    ...facts,
    models,
    capabilities: { ...capabilitiesOf(agent), ...capabilities },
    configSchema: configSchema ?? noSettings(agent),
  }
}
