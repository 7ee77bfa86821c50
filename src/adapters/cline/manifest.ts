import { defineManifest, ONE_WAY, pluginCommands, UP_TO_XHIGH } from '../../core/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'cline',
  displayName: 'Cline',
  cliCommand: 'cline',
  minVersion: '3.0.0',
  provenVersion: '3.0.65',
  verification: 'verified',
  npmPackage: 'cline',
  homepage: 'https://docs.cline.bot',
  capabilities: {
    endpointProtocols: ['openai-chat'],
    ...ONE_WAY,
    supportsTerminal: true,
    canResume: false,
    sessionPersistence: 'file',
    supportsMCP: true,
    approvalModes: ['prompt', 'yolo', 'deny'],
    thinkingEffortLevels: UP_TO_XHIGH,
    systemPromptModes: ['replace'],
    // It has agents of its own, but its output tells nothing of them.
    supportsParallelExecution: true,
    pluginFormats: ['extension-ts', 'mcp-server', 'skill-directory'],
    ...pluginCommands('cline plugin', { list: null, install: 'install --json', update: null }),
    authMethods: ['browser_login'],
    runtimeHooks: {
      preToolUse: 'blocking',
      postToolUse: 'nonblocking',
      sessionStart: 'nonblocking',
      stop: 'nonblocking',
      userPromptSubmit: 'unsupported',
    },
    untold: ['session id', 'retries', 'refusals'],
    structuredSessionTransport: 'none',
  },
  // Its models are those of the provider that the user has chosen; no command tells them.
  configSchema: {
    configFilePaths: ['~/.cline/data/settings/providers.json'],
    configFormat: 'json',
    fields: [
      {
        path: 'provider',
        description: 'The provider that was used last, and is used next.',
        nativeKeyPath: 'lastUsedProvider',
      },
    ],
  },
  hostEnvSignals: ['CLINE_CONNECTOR_CLI_LAUNCH'],
  passEnv: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_PROVIDER_SETTINGS_PATH', 'CLINE_MCP_SETTINGS_PATH'],
  auth: {
    providerName: 'Cline',
    envVars: [{ name: 'CLINE_API_KEY', method: 'api_key', description: 'API key of a Cline account.' }],
    files: [{ path: '~/.cline/data/settings/providers.json', method: 'config_file' }],
    loginCommand: 'cline auth',
    documentationUrls: ['https://docs.cline.bot'],
  },
  quirks: [
    'In a terminal the offer that it shows to a new user is closed.',
    'Its own default allows everything, so `prompt` and `yolo` are the same; with `deny` all that needs an approval is refused.',
    'The CLI tells nobody the id of its session, and resumes one only in its own terminal user interface.',
    'The prompt is on the command line, where other users of the machine may see it: with --json the CLI reads no stdin.',
    'That the model refused is not told: its words are an answer like any other.',
    'A question to the user is answered by the CLI itself with the first option.',
    'Every run has CLINE_SESSION_BACKEND_MODE=local: otherwise a hub daemon is left running after it.',
    'Without a sign-in the CLI hangs without a word; agent-mux ends a run after ten silent minutes (inactivityTimeout).',
    'Its ACP form works only with a sign-in at Cline or OpenAI, so it is not used.',
  ],
})
