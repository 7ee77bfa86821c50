import {
  defineManifest,
  EVERY_APPROVAL_MODE,
  type ModelFacts,
  npmInstall,
  pluginCommands,
  UP_TO_MAX,
  UP_TO_XHIGH,
} from '../kit/define-manifest.ts'

/**
 * From `codex debug models` and `model/list` of 0.166.0. Neither reports prices or the limit of an answer.
 * The newest models also have the effort `ultra` (max with delegation of tasks), which the contract has no word for.
 */
const model = (modelId: string, displayName: string, extra: Partial<ModelFacts> = {}): ModelFacts => ({
  modelId,
  displayName,
  contextWindow: 272_000,
  maxOutputTokens: 128_000,
  supportsJsonMode: true,
  supportsStructuredOutput: true,
  thinkingEffortLevels: UP_TO_MAX,
  provider: 'openai',
  protocol: 'responses',
  ...extra,
})

const replacedBy = (successorModelId: string): Partial<ModelFacts> => ({ deprecated: true, successorModelId })

export const manifest = defineManifest({
  agent: 'codex',
  displayName: 'Codex CLI',
  cliCommand: 'codex',
  // Only 0.166.0 was run. The v2 protocol (thread/start, turn/start) is older, but how much older is not proven here.
  minVersion: '0.150.0',
  provenVersion: '0.166.0',
  verification: 'verified',
  sessionStore: '~/.codex/sessions',
  npmPackage: '@openai/codex',
  homepage: 'https://developers.openai.com/codex/cli',
  capabilities: {
    usageAfterTurn: ['one-shot'],
    callsToolsEarly: true,
    endpointProtocols: ['openai-responses'],
    canFork: true,
    sessionPersistence: 'file',
    supportsEphemeral: true,
    approvalModes: EVERY_APPROVAL_MODE,
    supportsQuestions: true,
    supportsAddDirs: true,
    thinkingEffortLevels: UP_TO_MAX,
    systemPromptModes: ['append', 'prepend', 'replace'],
    supportsJsonMode: true,
    supportsStructuredOutput: true,
    supportsSubagentDispatch: true,
    supportsParallelExecution: true,
    supportsSteer: true,
    supportsSetModel: true,
    supportsTerminal: true,
    supportsFileAttachments: false,
    pluginFormats: ['mcp-server', 'skill-directory'],
    ...pluginCommands('codex plugin', {
      list: 'list --json',
      install: 'add',
      uninstall: 'remove',
      update: null,
      search: 'list --available --json',
    }),
    supportsQuota: true,
    supportsModelDiscovery: true,
    authMethods: ['browser_login', 'oauth_device'],
    installMethods: [
      npmInstall('@openai/codex', 'Node 16 or newer'),
      { platform: 'darwin', type: 'brew', command: 'brew install --cask codex' },
    ],
    runtimeHooks: {
      SessionStart: 'blocking',
      UserPromptSubmit: 'blocking',
      PreToolUse: 'blocking',
      PostToolUse: 'blocking',
      PermissionRequest: 'blocking',
      Stop: 'blocking',
      SessionEnd: 'nonblocking',
    },
  },
  models: [
    model('gpt-6.1-sol', 'GPT-6.1-Sol'),
    model('gpt-6-astra', 'GPT-6-Astra'),
    model('gpt-6-sol', 'GPT-6-Sol'),
    model('gpt-6-luna', 'GPT-6-Luna'),
    model('gpt-6.1-terra', 'GPT-6.1 Terra', { contextWindow: 500_000 }),
    model('gpt-5.6-sol', 'GPT-5.6-Sol', replacedBy('gpt-6-sol')),
    model('gpt-5.6-terra', 'GPT-5.6-Terra', replacedBy('gpt-6-sol')),
    model('gpt-5.6-luna', 'GPT-5.6-Luna', replacedBy('gpt-6-luna')),
    model('gpt-5.5', 'GPT-5.5', { ...replacedBy('gpt-6-sol'), thinkingEffortLevels: UP_TO_XHIGH }),
  ],
  defaultModelId: 'gpt-6.1-sol',
  configSchema: {
    configFilePaths: ['~/.codex/config.toml'],
    projectConfigFilePaths: ['.codex/config.toml'],
    configFormat: 'toml',
    fields: [
      { path: 'model', description: 'The model that new threads use.' },
      {
        path: 'provider',
        label: 'Model provider',
        description: 'One of the built-in providers, or a key of model_providers.',
        nativeKeyPath: 'model_provider',
      },
      {
        path: 'mcpServers',
        description: 'Servers by name: command, args and env, or url.',
        nativeKeyPath: 'mcp_servers',
      },
      {
        path: 'modelReasoningEffort',
        label: 'Reasoning effort',
        description: 'How much the model thinks. The CLI sends any value as it stands.',
        enumValues: ['low', 'medium', 'high', 'xhigh', 'max', 'ultra'],
        nativeKeyPath: 'model_reasoning_effort',
      },
      {
        path: 'modelReasoningSummary',
        label: 'Reasoning summary',
        description: 'Whether the model tells its thinking; without it no thinking is shown.',
        enumValues: ['auto', 'concise', 'detailed', 'none'],
        nativeKeyPath: 'model_reasoning_summary',
      },
      {
        path: 'approvalPolicy',
        label: 'Approval policy',
        description: 'When the agent asks before it leaves the sandbox.',
        enumValues: ['untrusted', 'on-request', 'never'],
        nativeKeyPath: 'approval_policy',
      },
      {
        path: 'sandboxMode',
        label: 'Sandbox',
        description: 'What commands may touch without asking.',
        enumValues: ['read-only', 'workspace-write', 'danger-full-access'],
        nativeKeyPath: 'sandbox_mode',
      },
      {
        path: 'developerInstructions',
        label: 'Developer instructions',
        description: 'Added to the system prompt of new threads.',
        nativeKeyPath: 'developer_instructions',
      },
    ],
  },
  // CODEX_THREAD_ID and the like are handed to tools: with them we know that we run below codex, and never pass them on.
  hostEnvSignals: ['CODEX_THREAD_ID', 'CODEX_SESSION_ID', 'CODEX_CI'],
  passEnv: ['CODEX_HOME', 'CODEX_SQLITE_HOME', 'CODEX_CA_CERTIFICATE', 'OPENAI_*', 'AZURE_OPENAI_API_KEY'],
  directories: { '~/.codex': ['$CODEX_HOME'] },
  auth: {
    providerName: 'OpenAI',
    envVars: [
      {
        name: 'CODEX_API_KEY',
        method: 'api_key',
        description: 'An OpenAI API key. OPENAI_API_KEY in the environment is not used by the CLI.',
      },
    ],
    files: [
      {
        path: '~/.codex/auth.json',
        method: 'token_file',
        keys: ['OPENAI_API_KEY', 'tokens.access_token', 'tokens.refresh_token'],
      },
    ],
    loginCommand: 'codex login',
    verifyCommand: 'codex login status',
    documentationUrls: ['https://developers.openai.com/codex/auth'],
  },
  quirks: [
    'A sandbox wider than read-only, set when a thread starts, makes codex write a trust entry for the project into ~/.codex/config.toml. agent-mux sets the sandbox turn by turn instead, which leaves that file alone.',
    '`codex exec` prints no text deltas, tells rejected tool calls on stderr only, and reports usage of the whole thread when it resumes. agent-mux uses it only for a plain one-shot run, and the app server for all else.',
    'Without model_reasoning_summary the newest models tell nothing of their thinking.',
    'Developer instructions are fixed when a thread begins: on resume and fork an appended system prompt goes before the prompt instead.',
    'Tools of the agent see the variable that holds the key of a custom provider.',
    'Only the GPT-6 models are given the tool that starts sub-agents; GPT-5.5 is not.',
    'A wrong key is retried five times by the CLI; agent-mux ends the run at the first refusal.',
  ],
})
