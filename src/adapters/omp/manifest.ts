import { CAPABILITIES, MODELS, OTHER_KEYS, PROVIDER_ENV, PROVIDER_KEYS } from '../families/pi/manifest.ts'
import { defineManifest, npmInstall, pluginCommands } from '../kit/define-manifest.ts'
import { providerVariables } from '../kit/provider-keys.ts'

export const manifest = defineManifest({
  agent: 'omp',
  displayName: 'omp (oh-my-pi)',
  cliCommand: 'omp',
  minVersion: '18.0.0',
  provenVersion: '18.2.3',
  verification: 'verified',
  sessionStore: '~/.omp/agent/sessions',
  npmPackage: '@oh-my-pi/pi-coding-agent',
  homepage: 'https://omp.sh',
  imagesAsData: 'live',
  capabilities: {
    ...CAPABILITIES,
    supportsTerminal: true,
    supportsQuestions: true,
    supportsAddDirs: true,
    supportsSubagentDispatch: true,
    supportsParallelExecution: true,
    ...pluginCommands('omp plugin', { list: 'list --json', update: 'upgrade', search: 'discover' }),
    installMethods: [npmInstall('@oh-my-pi/pi-coding-agent', 'Bun 1.3.14 or newer on the PATH')],
    runtimeHooks: {
      session_start: 'nonblocking',
      tool_call: 'blocking',
      tool_result: 'blocking',
      agent_end: 'nonblocking',
      session_shutdown: 'nonblocking',
    },
    // Six requests make one try, and only tries are reported.
    unreported: ['retries'],
  },
  models: MODELS,
  // With no model given the CLI takes the first provider that it finds a key for. Only 18.2.3 was run.
  defaultModelId: 'anthropic/claude-opus-4-8',
  configSchema: {
    configFilePaths: ['~/.omp/agent/config.yml'],
    projectConfigFilePaths: ['.omp/config.yml'],
    configFormat: 'yaml',
    fields: [
      {
        path: 'model',
        description: 'The model that new sessions use, with its provider.',
        nativeKeyPath: 'modelRoles.default',
      },
      {
        path: 'defaultThinkingLevel',
        label: 'Thinking level',
        description: 'How much the model thinks.',
        enumValues: ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'auto'],
      },
      {
        path: 'toolsApprovalMode',
        label: 'Approval mode',
        description: 'Which calls need an approval.',
        enumValues: ['always-ask', 'write', 'yolo'],
        defaultValue: 'yolo',
        nativeKeyPath: 'tools.approvalMode',
      },
      {
        path: 'maxRetries',
        label: 'Retries',
        description: 'How often a request that failed for a while is tried again.',
        type: 'number',
        defaultValue: 10,
        nativeKeyPath: 'retry.maxRetries',
      },
    ],
  },
  // It sets CLAUDECODE for its tools as well. With both named it has more signals below omp than Claude Code has, and
  // fewer below Claude Code.
  hostEnvSignals: ['OMPCODE', 'CLAUDECODE'],
  passEnv: [...PROVIDER_ENV, 'OMP_PROFILE'],
  plugins: { scopes: { global: ['--scope=user'], project: ['--scope=project'] } },
  directories: { '~/.omp/agent': ['~/.omp/profiles/$OMP_PROFILE/agent', '$PI_CODING_AGENT_DIR'] },
  auth: {
    providerName: 'a model provider of your choice',
    envVars: PROVIDER_KEYS,
    files: [
      {
        path: '~/.omp/agent/agent.db',
        method: 'token_file',
        format: 'sqlite',
        query: 'SELECT data FROM auth_credentials WHERE disabled_cause IS NULL',
      },
      { path: '~/.omp/agent/models.yml', method: 'config_file', format: 'yaml', keys: ['providers.*.apiKey'] },
      // Read by the CLI when it starts, 18.2.3.
      ...['~/.omp/agent/.env', '~/.omp/.env', '~/.env'].map(providerVariables),
    ],
    otherKeys: OTHER_KEYS,
    loginCommand: 'omp',
    verifyCommand: 'omp usage',
    documentationUrls: ['https://omp.sh'],
  },
  quirks: [
    'Without an approval mode the setting of the user counts, and that is yolo unless he changed it.',
    'Another endpoint comes by an extension of the run (`-e`), and MCP servers by a plugin directory of the run, so that sessions, settings and logins stay where they are.',
    'The CLI tries ten times again, several requests each time; agent-mux ends the run after the third retry.',
    'A message that steers while a command runs sends that command into the background at once.',
    'Its tools see CLAUDECODE=1 beside OMPCODE=1.',
    'A model without a price in the catalogue costs 0 for the CLI; agent-mux tells no cost then.',
    'It needs Bun; the package is 1.4 GB.',
  ],
})
