import { defineManifest, EVERY_APPROVAL_MODE, npmInstall, UP_TO_HIGH } from '../kit/define-manifest.ts'

const NODE_NOTE = 'Needs Node 22.19 or newer.'

export const manifest = defineManifest({
  agent: 'kimi',
  displayName: 'Kimi Code',
  cliCommand: 'kimi',
  // The older kimi-cli (Python, 1.x) has the same command and is another program.
  minVersion: '2.0.0',
  provenVersion: '2.1.0',
  verification: 'verified',
  sessionStore: '~/.kimi-code/sessions',
  npmPackage: '@moonshot-ai/kimi-code',
  homepage: 'https://moonshotai.github.io/kimi-code/',
  imagesAsData: 'always',
  capabilities: {
    usageAfterTurn: ['live', 'one-shot'],
    endpointProtocols: ['openai-chat', 'anthropic'],
    supportsTerminal: true,
    canFork: true,
    sessionPersistence: 'file',
    approvalModes: EVERY_APPROVAL_MODE,
    supportsQuestions: true,
    supportsAddDirs: true,
    thinkingEffortLevels: UP_TO_HIGH,
    supportsSubagentDispatch: true,
    supportsSetModel: true,
    supportsModelDiscovery: true,
    authMethods: ['config_file'],
    installMethods: [npmInstall('@moonshot-ai/kimi-code', NODE_NOTE)],
    runtimeHooks: {
      SessionStart: 'nonblocking',
      UserPromptSubmit: 'blocking',
      PreToolUse: 'blocking',
      PostToolUse: 'nonblocking',
      Stop: 'blocking',
    },
  },
  // The CLI learns its models from the account that is signed in; it knows none by itself.
  configSchema: {
    configFilePaths: ['~/.kimi-code/config.toml'],
    configFormat: 'toml',
    fields: [
      {
        path: 'model',
        description: 'The alias of the model that new sessions use: a key of [models].',
        nativeKeyPath: 'default_model',
      },
      {
        path: 'defaultPermissionMode',
        label: 'Permission mode',
        description: 'What new sessions may do without asking.',
        enumValues: ['manual', 'auto', 'yolo'],
        nativeKeyPath: 'default_permission_mode',
      },
    ],
  },
  // 2.1 sets no variable of its own for its tools.
  hostEnvSignals: [],
  passEnv: ['KIMI_*', 'MOONSHOT_API_KEY'],
  directories: { '~/.kimi-code': ['$KIMI_CODE_HOME'] },
  auth: {
    providerName: 'Moonshot AI',
    envVars: [
      { name: 'KIMI_API_KEY', method: 'api_key', description: 'API key of the Moonshot platform' },
      { name: 'KIMI_MODEL_API_KEY', method: 'api_key', description: 'API key of the model in KIMI_MODEL_NAME' },
    ],
    files: [
      {
        path: '~/.kimi-code/credentials/kimi-code.json',
        method: 'oauth_device',
        keys: ['access_token', 'refresh_token'],
      },
      {
        path: '~/.kimi-code/config.toml',
        method: 'config_file',
        format: 'toml',
        keys: ['providers.*.api_key', 'providers.*.env.*_API_KEY'],
      },
    ],
    loginCommand: 'kimi login',
    verifyCommand: 'kimi doctor',
    documentationUrls: ['https://moonshotai.github.io/kimi-code/'],
  },
  quirks: [
    'Its screen takes no prompt when it starts: in a terminal the first one is typed, too. The question whether the folder is trusted is answered with yes, and Kimi remembers that.',
    'Its own stream-json, which no run of ours uses, tells only the words of a result: whether a call of an MCP server failed and whether an answer was cut or refused is not reported there.',
    'Usage, retries and the reason of a failure are read from its session file when a turn ends: ACP tells none of them.',
    'A model of another endpoint goes by the name __kimi_env_model__ inside the agent.',
    'Mode "deny" is its plan mode, where it asks before it leaves it; what it asks is refused.',
  ],
})
