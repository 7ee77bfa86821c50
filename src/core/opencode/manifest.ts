import type { AgentCapabilities } from '../../contract/capabilities.ts'
import type { AgentConfigSchema, ConfigField } from '../../contract/config.ts'
import type { AdapterManifest } from '../../contract/manifest.ts'
import type { ModelCapabilities } from '../../contract/models.ts'
import type { AgentName } from '../../contract/names.ts'
import type { ThinkingEffort } from '../../contract/run-options.ts'

const EFFORT_LEVELS: ThinkingEffort[] = ['low', 'medium', 'high', 'xhigh', 'max']

/** `[id, name, context, output, dollars per million tokens in, out, read from the cache]`. */
type ModelFacts = readonly [string, string, number, number, number, number, number]

// From `opencode models --verbose` of 1.18.33. It knows thousands; these are the newest of the three large providers.
const MODELS: readonly ModelFacts[] = [
  ['anthropic/claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000, 4, 20, 0.2],
  ['anthropic/claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, 128_000, 2, 10, 0.2],
  ['openai/gpt-6-sol', 'GPT-6 Sol', 1_050_000, 128_000, 2, 10, 0.2],
  ['openai/gpt-6-luna', 'GPT-6 Luna', 1_050_000, 128_000, 0.1, 0.5, 0.01],
  ['google/gemini-3.8-flash', 'Gemini 3.8 Flash', 1_048_576, 65_536, 0.75, 3.75, 0.075],
]

/** The same without their provider: what another endpoint can be asked for besides the run's own model. */
export const MODEL_NAMES = MODELS.map(([id]) => id.slice(id.indexOf('/') + 1))

export function opencodeModels(agent: AgentName): ModelCapabilities[] {
  return MODELS.map(([modelId, displayName, contextWindow, maxOutputTokens, input, output, cacheRead]) => ({
    agent,
    modelId,
    displayName,
    deprecated: false,
    contextWindow,
    maxOutputTokens,
    inputPricePerMillion: input,
    outputPricePerMillion: output,
    cachedInputPricePerMillion: cacheRead,
    supportsThinking: true,
    supportsToolCalling: true,
    supportsParallelToolCalls: true,
    supportsToolCallStreaming: false,
    supportsJsonMode: true,
    supportsStructuredOutput: true,
    supportsTextStreaming: true,
    supportsThinkingStreaming: true,
    supportsImageInput: true,
    supportsImageOutput: false,
    supportsFileInput: true,
    thinkingEffortLevels: EFFORT_LEVELS,
    provider: modelId.slice(0, modelId.indexOf('/')),
    deployment: 'hosted',
    supportsLocalModels: true,
    cliArgKey: '--model',
    cliArgValue: modelId,
    lastUpdated: '2026-11-15',
    source: 'bundled',
  }))
}

/** What the forms of OpenCode and its kin have in common. */
export function opencodeCapabilities(
  own: Pick<AgentCapabilities, 'agent' | 'authFiles' | 'installMethods'> & Partial<AgentCapabilities>,
): AgentCapabilities {
  return {
    canResume: true,
    canFork: true,
    supportsMultiTurn: true,
    sessionPersistence: 'sqlite',
    supportsSessionId: false,
    supportsEphemeral: true,
    supportsTextStreaming: true,
    supportsToolCallStreaming: false,
    supportsThinkingStreaming: true,
    supportsNativeTools: true,
    supportsMCP: true,
    supportsParallelToolCalls: true,
    requiresToolApproval: false,
    approvalModes: ['prompt', 'accept-edits', 'yolo', 'deny'],
    supportsApprovals: true,
    supportsQuestions: false,
    supportsToolLists: true,
    supportsAddDirs: false,
    supportsThinking: true,
    thinkingEffortLevels: EFFORT_LEVELS,
    supportsThinkingBudgetTokens: false,
    systemPromptModes: ['append', 'replace'],
    supportsJsonMode: true,
    supportsStructuredOutput: false,
    supportsMaxTurns: false,
    // It has skills and reads AGENTS.md, but nothing adds one to a single run.
    supportsSkills: false,
    supportsAgentsMd: false,
    skillsFormat: null,
    supportsSubagentDispatch: true,
    supportsParallelExecution: true,
    supportsInteractiveMode: true,
    supportsStdinInjection: true,
    supportsInterrupt: true,
    supportsSteer: false,
    supportsSetModel: true,
    supportsImageInput: true,
    supportsImageOutput: false,
    supportsFileAttachments: true,
    supportsPlugins: false,
    pluginFormats: ['npm-package', 'skill-directory', 'mcp-server'],
    pluginRegistries: [],
    supportedPlatforms: ['darwin', 'linux', 'win32'],
    requiresGitRepo: false,
    requiresPty: false,
    authMethods: ['api_key', 'oauth', 'token_file'],
    runtimeHooks: {
      'chat.message': 'blocking',
      'tool.execute.before': 'blocking',
      'tool.execute.after': 'blocking',
      'session.idle': 'nonblocking',
    },
    structuredSessionTransport: 'persistent',
    ...own,
  }
}

function field(path: string, label: string, description: string, type: ConfigField['type']): ConfigField {
  return {
    path,
    label,
    description,
    type,
    required: false,
    normalized: path === 'model',
    nativeKeyPath: path,
    scope: 'both',
  }
}

export function opencodeConfigSchema(
  own: Pick<AgentConfigSchema, 'agent' | 'configFilePaths' | 'projectConfigFilePaths'>,
): AgentConfigSchema {
  return {
    configFormat: 'json',
    supportsProjectConfig: true,
    fields: [
      field('model', 'Model', 'The model of new sessions, as provider/model.', 'string'),
      field('small_model', 'Small model', 'The model for titles and summaries.', 'string'),
      field('default_agent', 'Agent', 'The agent that new sessions start with.', 'string'),
      field('instructions', 'Instructions', 'Files that are added to the system prompt.', 'string[]'),
      field('permission', 'Permissions', 'By tool: allow, ask or deny.', 'object'),
      field('provider', 'Providers', 'Providers and models besides the known ones.', 'object'),
    ],
    ...own,
  }
}

/** Keys of the providers that most users have, and how a process is told where the agent keeps its things. */
export const PROVIDER_ENV = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'DEEPSEEK_API_KEY',
  'XAI_API_KEY',
  'AWS_REGION',
  'AWS_PROFILE',
  'AWS_BEARER_TOKEN_BEDROCK',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'XDG_DATA_HOME',
  'XDG_CONFIG_HOME',
]

export const PROVIDER_KEYS: AdapterManifest['auth']['envVars'] = [
  { name: 'ANTHROPIC_API_KEY', method: 'api_key', description: 'For models of the provider anthropic.' },
  { name: 'OPENAI_API_KEY', method: 'api_key', description: 'For models of the provider openai.' },
  { name: 'OPENROUTER_API_KEY', method: 'api_key', description: 'For models of the provider openrouter.' },
  { name: 'GOOGLE_GENERATIVE_AI_API_KEY', method: 'api_key', description: 'For models of the provider google.' },
]

/** What all of them have in common that is worth a line. */
export const COMMON_QUIRKS = [
  'A run without a model uses the one of the config. The free models of the gateway are switched off then, because the prompt would be sent there without a word.',
  'Without an approvalMode the rules of the config hold, which allow everything by default. `deny` asks for leave to act, and refuses it.',
  'A failed request is retried five times, for about a minute when the server names no time.',
  'A session that was forked counts the tokens and costs of what was copied. Nothing tells where it came from; its title ends with (fork #1).',
  'The store knows the price of a model or says 0: a cost of 0 is not reported.',
]
