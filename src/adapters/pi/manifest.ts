import { CAPABILITIES, MODELS, PROVIDER_ENV, PROVIDER_KEYS } from '../families/pi/manifest.ts'
import { defineManifest, npmInstall, pluginCommands } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'pi',
  displayName: 'Pi',
  cliCommand: 'pi',
  minVersion: '0.73.0',
  provenVersion: '1.5.0',
  verification: 'verified',
  sessionStore: '~/.pi/agent/sessions',
  npmPackage: '@earendil-works/pi-coding-agent',
  homepage: 'https://pi.dev',
  imagesAsData: 'live',
  capabilities: {
    supportsTerminal: true,
    ...CAPABILITIES,
    supportsSessionId: true,
    supportsSkills: true,
    skillsFormat: 'directory',
    pluginRegistries: [{ name: 'npm', url: 'https://www.npmjs.com/search?q=keywords:pi-package', searchable: false }],
    ...pluginCommands('pi', { uninstall: 'remove' }),
    installMethods: [
      npmInstall('@earendil-works/pi-coding-agent', 'Node 22.19 or newer'),
      {
        platform: 'all',
        type: 'npm',
        command: 'npm install -g @mariozechner/pi-coding-agent',
        notes: 'the last version under the old name, for Node 20',
      },
    ],
    runtimeHooks: {
      session_start: 'nonblocking',
      input: 'blocking',
      tool_call: 'blocking',
      tool_result: 'blocking',
      agent_end: 'nonblocking',
      session_shutdown: 'nonblocking',
    },
  },
  models: MODELS,
  // With no model given the CLI takes the first provider that it finds a key for.
  defaultModelId: 'anthropic/claude-opus-4-8',
  configSchema: {
    configFilePaths: ['~/.pi/agent/settings.json'],
    projectConfigFilePaths: ['.pi/settings.json'],
    configFormat: 'json',
    fields: [
      {
        path: 'model',
        description: 'The id of the model that new sessions use, at the provider below.',
        nativeKeyPath: 'defaultModel',
      },
      { path: 'provider', nativeKeyPath: 'defaultProvider' },
      {
        path: 'defaultThinkingLevel',
        label: 'Thinking level',
        description: 'How much the model thinks.',
        enumValues: ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
      },
      {
        path: 'maxRetries',
        label: 'Retries',
        description: 'How often a request that failed for a while is tried again.',
        type: 'number',
        defaultValue: 3,
        nativeKeyPath: 'retry.maxRetries',
      },
    ],
  },
  hostEnvSignals: ['PI_CODING_AGENT', 'PI_SESSION_ID', 'PI_SESSION_FILE'],
  passEnv: [...PROVIDER_ENV, 'PI_CODING_AGENT_SESSION_DIR', 'PI_TELEMETRY'],
  plugins: { scopes: { global: [], project: ['-l'] } },
  directories: { '~/.pi/agent': ['$PI_CODING_AGENT_DIR'], '~/.pi/agent/sessions': ['$PI_CODING_AGENT_SESSION_DIR'] },
  auth: {
    providerName: 'a model provider of your choice',
    envVars: PROVIDER_KEYS,
    files: [
      { path: '~/.pi/agent/auth.json', method: 'config_file', keys: ['*.key', '*.access', '*.refresh'] },
      { path: '~/.pi/agent/models.json', method: 'config_file', keys: ['providers.*.apiKey'] },
    ],
    loginCommand: 'pi',
    verifyCommand: 'pi auth check --provider anthropic --json',
    documentationUrls: ['https://pi.dev/docs'],
  },
  quirks: [
    'The CLI has no approvals: without an approval mode every tool runs. With one, agent-mux adds an extension to the run that asks before each call.',
    'Another endpoint, MCP servers and approvals come by an extension of the run (`-e`), so that sessions, settings and logins stay where they are.',
    '`--mode json` exits with 0 after a refused key or a spent limit; the outcome is read from the last reply instead.',
    'A model without a price in the catalogue costs 0 for the CLI; agent-mux tells no cost then.',
    '0.73 and older know neither MCP servers, `--session-id` nor `--exclude-tools`, and retry in two layers (12 requests for one 429).',
    'Since 1.0 extensions of a project are loaded only when it is trusted.',
  ],
})
