import type { AgentCapabilities } from '../../../contract/capabilities.ts'
import type { AdapterManifest, AuthFile } from '../../../contract/manifest.ts'
import {
  EVERY_APPROVAL_MODE,
  type ModelFacts,
  npmInstall,
  pluginCommands,
  UP_TO_MAX,
} from '../../kit/define-manifest.ts'
import type { ConfigFacts, FieldFacts } from '../../kit/describe-config.ts'
import { MORE_PROVIDER_KEYS, providerKeys } from '../../kit/provider-keys.ts'

/** `[id, name, context, output]`. */
type ModelRow = readonly [string, string, number, number]

// From `opencode models --verbose` of 1.18.33. It knows thousands; these are the newest of the three large providers.
const ROWS: readonly ModelRow[] = [
  ['anthropic/claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000],
  ['anthropic/claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, 128_000],
  ['openai/gpt-6-sol', 'GPT-6 Sol', 1_050_000, 128_000],
  ['openai/gpt-6-luna', 'GPT-6 Luna', 1_050_000, 128_000],
  ['google/gemini-3.8-flash', 'Gemini 3.8 Flash', 1_048_576, 65_536],
]

export const MODELS: readonly ModelFacts[] = ROWS.map(([modelId, displayName, contextWindow, maxOutputTokens]) => ({
  modelId,
  displayName,
  contextWindow,
  maxOutputTokens,
  supportsJsonMode: true,
  supportsStructuredOutput: true,
  supportsFileInput: true,
  thinkingEffortLevels: UP_TO_MAX,
  provider: modelId.slice(0, modelId.indexOf('/')),
  providerModelId: modelId.slice(modelId.indexOf('/') + 1),
  supportsLocalModels: true,
}))

/** The same without their provider: what another endpoint can be asked for besides the run's own model. */
export const MODEL_NAMES = ROWS.map(([id]) => id.slice(id.indexOf('/') + 1))

/** What the forms of OpenCode and its kin have in common. */
export const CAPABILITIES: Partial<AgentCapabilities> = {
  callsToolsEarly: true,
  samplingOptions: ['temperature', 'topP', 'maxTokens', 'maxOutputTokens'],
  canFork: true,
  sessionPersistence: 'sqlite',
  supportsEphemeral: true,
  requiresToolApproval: false,
  approvalModes: EVERY_APPROVAL_MODE,
  supportsToolLists: true,
  supportsSkills: true,
  skillsFormat: 'directory',
  supportsAgentsMd: true,
  thinkingEffortLevels: UP_TO_MAX,
  systemPromptModes: ['append', 'replace'],
  supportsJsonMode: true,
  supportsSubagentDispatch: true,
  supportsParallelExecution: true,
  supportsSetModel: true,
  endpointProtocols: ['openai-chat', 'openai-responses', 'anthropic', 'gemini'],
  pluginFormats: ['npm-package', 'skill-directory', 'mcp-server'],
  supportsModelDiscovery: true,
  reportsCost: true,
  authMethods: ['oauth'],
  runtimeHooks: {
    'chat.message': 'blocking',
    'tool.execute.before': 'blocking',
    'tool.execute.after': 'blocking',
    'session.idle': 'nonblocking',
  },
}

/** It has a command that installs, and one that shows the whole configuration: none that updates or removes. */
export const PLUGIN_WORDS = { list: 'debug config', install: 'plugin --force', uninstall: null, update: null }
export const PLUGIN_SCOPES = { global: ['--global'], project: [] }

export const CONFIG_FIELDS: readonly FieldFacts[] = [
  { path: 'model', description: 'The model of new sessions, as provider/model.' },
  { path: 'small_model', label: 'Small model', description: 'The model for titles and summaries.' },
  { path: 'default_agent', label: 'Agent', description: 'The agent that new sessions start with.' },
  {
    path: 'instructions',
    label: 'Instructions',
    description: 'Files that are added to the system prompt.',
    type: 'string[]',
  },
  { path: 'permission', label: 'Permissions', description: 'By tool: allow, ask or deny.', type: 'object' },
  {
    path: 'provider',
    label: 'Providers',
    description: 'Providers and models besides the known ones.',
    type: 'object',
    // Not the name of one, as in other agents.
    normalized: false,
  },
]

/** Keys of the providers that most users have, and how a process learns where the agent keeps its files. */
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

export const PROVIDER_KEYS = providerKeys(
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
)

/** What all of them have in common that is worth a line. */
export const COMMON_QUIRKS = [
  'A run without a model uses the one of the config. The free models of the gateway are switched off then, because the prompt would be sent there without a word.',
  'Without an approvalMode the rules of the config hold, which allow everything by default. `deny` asks for leave to act, and refuses it.',
  'A failed request is retried five times, for about a minute when the server names no time.',
  'A session that was forked counts the tokens and costs of what was copied. Nothing tells where it came from; its title ends with (fork #1).',
  'The store knows the price of a model or says 0: a cost of 0 is not reported.',
]

/** Of OpenCode itself; Kilo asks no model for a title (7.7.9). */
export const TITLE_QUIRK =
  'The title of a new session is asked of a model in a second, small request. It is paid for, but in no usage or cost: neither the stream nor the database nor the log has it (1.18.33). `agent.title.disable` in the config of OpenCode turns it off.'

/** Of the agents whose live runs speak ACP. */
export const ACP_QUIRKS = [
  'ACP tells the tokens of the last request of a turn only: those of all of them, and of sub-agents, are read from the database when the turn ends.',
  'A one-shot run tells text and thinking as whole parts; the deltas come in live runs.',
  'What sub-agents use is in their own sessions: a one-shot run does not tell it.',
]

/** What the two forms of OpenCode itself have in common: one program, one home. */
export const OPENCODE = {
  cliCommand: 'opencode',
  directories: {
    '~/.local/share': ['$XDG_DATA_HOME'],
    '~/.config': ['$XDG_CONFIG_HOME'],
    '~/.local/share/opencode/opencode.db': [
      '$XDG_DATA_HOME/opencode/$OPENCODE_DB',
      '~/.local/share/opencode/$OPENCODE_DB',
    ],
  },
  // Only 1.18.33 was run. Its records and routes are older, but how much older is not proven here.
  minVersion: '1.0.0',
  provenVersion: '1.18.33',
  npmPackage: 'opencode-ai',
  plugins: { scopes: PLUGIN_SCOPES },
  // By name: OPENCODE and OPENCODE_PID mark a process below another OpenCode and must not get through.
  passEnv: [
    ...PROVIDER_ENV,
    'OPENCODE_API_KEY',
    'OPENCODE_AUTH_CONTENT',
    'OPENCODE_CONFIG',
    'OPENCODE_CONFIG_CONTENT',
    'OPENCODE_CONFIG_DIR',
    'OPENCODE_DB',
    'OPENCODE_DISABLE_*',
  ],
  joinEnv: ['OPENCODE_CONFIG_CONTENT'],
}

export const OPENCODE_CONFIG: ConfigFacts = {
  configFilePaths: ['~/.config/opencode/opencode.json'],
  projectConfigFilePaths: ['opencode.json'],
  configFormat: 'json',
  fields: CONFIG_FIELDS,
}

const SCRIPT_NOTE = 'With --ignore-scripts npm installs only a stub: run `node postinstall.mjs` in the package.'

export const OPENCODE_CAPABILITIES: Partial<AgentCapabilities> = {
  ...CAPABILITIES,
  ...pluginCommands('opencode', PLUGIN_WORDS),
  installMethods: [
    npmInstall('opencode-ai', SCRIPT_NOTE),
    { platform: 'darwin', type: 'brew', command: 'brew install sst/tap/opencode' },
  ],
}

/** All settings that may hold the key of a provider: `names` in a folder, and what the variables of the CLI add. */
export function providerConfigs(folder: string, names: readonly string[], prefix: string): AuthFile[] {
  const keys = ['provider.*.options.apiKey']
  const inFolders = [folder, `$${prefix}_CONFIG_DIR`].flatMap((place) => names.map((name) => `${place}/${name}`))
  const named: AuthFile = { path: `$${prefix}_CONFIG`, method: 'config_file', keys, beside: `${prefix}_CONFIG_CONTENT` }
  return [...inFolders.map((path): AuthFile => ({ path, method: 'config_file', keys })), named]
}

export const OPENCODE_AUTH: Omit<AdapterManifest['auth'], 'documentationUrls'> = {
  providerName: 'any of the providers that OpenCode knows',
  envVars: [
    ...PROVIDER_KEYS,
    { name: 'OPENCODE_API_KEY', method: 'api_key', description: 'For models of OpenCode Zen.' },
  ],
  files: [
    {
      path: '~/.local/share/opencode/auth.json',
      method: 'token_file',
      keys: ['*.key', '*.access', '*.refresh', '*.token'],
      variable: 'OPENCODE_AUTH_CONTENT',
    },
    ...providerConfigs('~/.config/opencode', ['opencode.json', 'opencode.jsonc', 'config.json'], 'OPENCODE'),
  ],
  otherKeys: MORE_PROVIDER_KEYS,
  loginCommand: 'opencode auth login',
  verifyCommand: 'opencode auth list',
}
