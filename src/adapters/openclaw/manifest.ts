import { defineManifest, ONE_WAY, pluginCommands, UP_TO_MAX } from '../kit/define-manifest.ts'
import { MORE_PROVIDER_KEYS, providerKeys, providerVariables } from '../kit/provider-keys.ts'

const MODEL = {
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
  supportsTextStreaming: false,
  supportsThinkingStreaming: false,
  thinkingEffortLevels: UP_TO_MAX,
  supportsImageInput: false,
  provider: 'anthropic',
  supportsLocalModels: true,
}

const AUTH_STORE = '~/.openclaw/agents/main/agent/openclaw-agent.sqlite'

export const manifest = defineManifest({
  agent: 'openclaw',
  displayName: 'OpenClaw',
  cliCommand: 'openclaw',
  // The only version that was run. `agent exec` is newer than the agent itself; how much newer is not known here.
  minVersion: '2026.9.0',
  provenVersion: '2026.9.6',
  verification: 'verified',
  sessionStore: '~/.openclaw/agents/main/agent/openclaw-agent.sqlite',
  npmPackage: 'openclaw',
  homepage: 'https://docs.openclaw.ai/cli/agent',
  capabilities: {
    usageAfterTurn: ['live', 'one-shot'],
    endpointProtocols: ['openai-chat', 'openai-responses', 'anthropic', 'gemini'],
    ...ONE_WAY,
    canResume: false,
    supportsEphemeral: true,
    supportsTextStreaming: false,
    supportsThinkingStreaming: false,
    approvalModes: ['prompt', 'yolo'],
    thinkingEffortLevels: UP_TO_MAX,
    supportsParallelExecution: true,
    pluginFormats: ['npm-package', 'skill-file', 'channel-plugin'],
    ...pluginCommands('openclaw plugins', {
      list: 'list --json',
      uninstall: 'uninstall --force',
      search: 'marketplace entries --json',
    }),
    pluginRegistries: [{ name: 'npm', url: 'https://www.npmjs.com', searchable: true }],
    supportsModelDiscovery: true,
    installMethods: [
      {
        platform: 'all',
        type: 'npm',
        command: 'npm install -g openclaw',
        notes: 'Needs Node 24.16 or newer, but not 25.',
        prerequisiteCheck: 'node --version',
      },
    ],
    runtimeHooks: { before_tool_call: 'blocking', after_tool_call: 'nonblocking', agent_end: 'nonblocking' },
    unreported: ['refusals', 'tool input', 'command output', 'thinking'],
    structuredSessionTransport: 'none',
  },
  // From `openclaw models list --all` of 2026.9.6. It takes those of any provider, as provider/model.
  models: [
    { ...MODEL, modelId: 'anthropic/claude-opus-5-5', displayName: 'Claude Opus 5.5' },
    { ...MODEL, modelId: 'anthropic/claude-sonnet-5', displayName: 'Claude Sonnet 5' },
  ],
  configSchema: {
    configFilePaths: ['~/.openclaw/openclaw.json'],
    configFormat: 'json5',
    fields: [
      {
        path: 'model',
        description: 'The model of all agents, as provider/model.',
        nativeKeyPath: 'agents.defaults.model.primary',
      },
      {
        path: 'tools.profile',
        label: 'Tool profile',
        description: 'Which tools there are: minimal, coding, messaging or full.',
      },
    ],
  },
  hostEnvSignals: ['OPENCLAW_SHELL', 'OPENCLAW_CLI'],
  // By name: those of the gateway and of a tool process must not get through.
  passEnv: ['OPENCLAW_CONFIG_PATH', 'OPENCLAW_STATE_DIR', 'OPENCLAW_HOME', 'OPENCLAW_PROFILE'],
  plugins: { consent: { args: ['--force', '--accept-capabilities'] } },
  directories: {
    '~/.openclaw': ['$OPENCLAW_STATE_DIR', '$OPENCLAW_HOME/.openclaw'],
    '~/.openclaw/openclaw.json': ['$OPENCLAW_CONFIG_PATH'],
  },
  auth: {
    providerName: 'any of the providers that OpenClaw knows',
    envVars: providerKeys('ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'),
    files: [
      {
        path: '~/.openclaw/openclaw.json',
        method: 'config_file',
        format: 'json5',
        keys: ['models.providers.*.apiKey', 'env.*_API_KEY', 'env.vars.*_API_KEY'],
      },
      providerVariables('~/.openclaw/.env'),
      // Where the login was before there was a database.
      {
        path: '~/.openclaw/agents/main/agent/auth-profiles.json',
        method: 'oauth',
        keys: ['key', 'keyRef', 'token', 'tokenRef', 'access', 'refresh'].map((name) => `profiles.*.${name}`),
      },
      // The database is there before anybody has signed in.
      { path: AUTH_STORE, method: 'oauth', format: 'sqlite', query: 'SELECT store_json FROM auth_profile_store' },
    ],
    otherKeys: MORE_PROVIDER_KEYS,
    loginCommand: 'openclaw models auth login',
    verifyCommand: 'openclaw models status',
    documentationUrls: ['https://docs.openclaw.ai/cli/models'],
  },
  quirks: [
    'Each run is an isolated `agent exec` in the directory of the run, which leaves no session. `agent --local` keeps sessions, but works in ~/.openclaw/workspace: going on with one would change files somewhere else.',
    'Its own screen, `openclaw tui`, is not run in a terminal: it works in one workspace for all sessions, and fills any other that it is given with files of its own (AGENTS.md, SOUL.md and more).',
    'Nothing is reported while the model answers: the text comes in one piece at the end. The names of tools are read from the log as they run; their input and output are not there.',
    'All tools are allowed in the directory of the run, unless tools.* of its configuration says otherwise. Nobody is asked.',
    'Its state is in a directory of the run (`--state-dir`), which is read for its usage while it works, and removed after it.',
    'The log level is debug, because tools and retries appear only there; its log file grows by that.',
    'It takes twenty seconds and more to start, and retries a rate limit nine times over minutes.',
    'With an endpoint of the caller its own configuration is not read at all: the endpoint comes in one that stands for it.',
  ],
})
