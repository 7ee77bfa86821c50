import { defineManifest, ONE_WAY } from '../../core/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'continue',
  displayName: 'Continue',
  cliCommand: 'cn',
  minVersion: '1.5.0',
  provenVersion: '1.5.47',
  verification: 'verified',
  npmPackage: '@continuedev/cli',
  homepage: 'https://docs.continue.dev/guides/cli',
  capabilities: {
    // With a Gemini provider the CLI asks Google, whatever its `apiBase` says (1.5.47).
    endpointProtocols: ['openai-chat', 'anthropic'],
    ...ONE_WAY,
    canResume: false,
    canFork: true,
    sessionPersistence: 'file',
    supportsTextStreaming: false,
    supportsThinkingStreaming: false,
    supportsMCP: true,
    requiresToolApproval: true,
    approvalModes: ['prompt', 'yolo', 'deny'],
    supportsToolLists: true,
    supportsThinking: false,
    systemPromptModes: ['append'],
    supportsParallelExecution: true,
    pluginFormats: ['mcp-server'],
    untold: ['session id', 'tools', 'tool input', 'command output', 'usage', 'retries', 'refusals'],
    structuredSessionTransport: 'none',
  },
  // Its models are those of config.yaml, or of the hub.
  configSchema: {
    configFilePaths: ['~/.continue/config.yaml'],
    projectConfigFilePaths: ['.continue/config.yaml'],
    configFormat: 'yaml',
  },
  hostEnvSignals: [],
  passEnv: ['CONTINUE_GLOBAL_DIR', 'CONTINUE_TELEMETRY_ENABLED', 'ANTHROPIC_API_KEY'],
  auth: {
    providerName: 'Continue',
    envVars: [{ name: 'CONTINUE_API_KEY', method: 'api_key', description: 'API key of the Continue hub.' }],
    files: [
      { path: '~/.continue/auth.json', method: 'browser_login' },
      { path: '~/.continue/config.yaml', method: 'config_file' },
    ],
    loginCommand: 'cn login',
    documentationUrls: ['https://docs.continue.dev/guides/cli'],
  },
  quirks: [
    'The CLI prints the answer at its end and nothing else: no tools, no usage, no session id. All of them stand in its session file.',
    'That the model refused, or was cut at the limit of tokens, is told nowhere: its words are an answer like any other.',
    'The prompt is on the command line, where other users of the machine may see it: the CLI reads stdin only from a terminal.',
    '`prompt` and `deny` leave the tools that write out of what the model is offered, so nothing is ever refused.',
    'It tries a rate limit or a server error again for minutes without a word; a run ends after ten silent minutes (inactivityTimeout).',
    'It resumes only the last session; any session can be forked.',
    'MCP servers can be given to a run only together with `endpoint`, which brings a configuration file of its own.',
  ],
})
