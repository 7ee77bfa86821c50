import { defineManifest } from '../kit/define-manifest.ts'
import { providerKeys } from '../kit/provider-keys.ts'

const OTHER_KEYS = [
  ...['NOUS', 'GOOGLE', 'GEMINI', 'GLM', 'KIMI', 'MINIMAX', 'DEEPSEEK', 'XAI'].map((name) => `${name}_API_KEY`),
  ...['ANTHROPIC_TOKEN', 'HF_TOKEN', 'COPILOT_GITHUB_TOKEN', 'GITHUB_TOKEN'],
]

export const manifest = defineManifest({
  agent: 'hermes',
  displayName: 'Hermes Agent',
  cliCommand: 'hermes',
  provenVersion: '0.19.0',
  verification: 'verified',
  sessionStore: '~/.hermes/state.db',
  homepage: 'https://hermes-agent.nousresearch.com/docs',
  capabilities: {
    // Over ACP no image reached the model (0.19.0).
    supportsImageInput: false,
    supportsFileAttachments: false,
    supportedPlatforms: ['darwin', 'linux'],
    usageAfterTurn: ['live', 'one-shot'],
    endpointProtocols: ['openai-chat'],
    supportsTerminal: true,
    canFork: true,
    supportsSetModel: true,
    supportsSubagentDispatch: true,
    sessionPersistence: 'sqlite',
    runtimeHooks: {
      on_session_start: 'nonblocking',
      pre_llm_call: 'nonblocking',
      pre_tool_call: 'blocking',
      post_tool_call: 'nonblocking',
      on_session_end: 'nonblocking',
    },
    installMethods: [
      { platform: 'all', type: 'pip', command: 'pip install "hermes-agent[acp,mcp]"', notes: 'ACP is an extra.' },
      {
        platform: 'all',
        type: 'curl',
        command:
          'curl -fsSL https://raw.githubusercontent.com/NousResearch/hermes-agent/main/scripts/install.sh | bash',
        notes: 'The npm package of this name is not from its makers.',
      },
    ],
  },
  configSchema: {
    configFilePaths: ['~/.hermes/config.yaml'],
    configFormat: 'yaml',
  },
  hostEnvSignals: ['HERMES_SESSION_ID'],
  // By name: HERMES_SESSION_ID marks a process below another Hermes and must not get through.
  passEnv: [
    'HERMES_HOME',
    'HERMES_MANAGED_DIR',
    'HERMES_PROFILE',
    'HERMES_MODEL',
    'HERMES_INFERENCE_*',
    'NOUS_INFERENCE_BASE_URL',
    'OPENROUTER_BASE_URL',
    'ANTHROPIC_BASE_URL',
    'OPENAI_BASE_URL',
    'GOOGLE_API_KEY',
    'GEMINI_API_KEY',
  ],
  directories: { '~/.hermes': ['$HERMES_HOME'] },
  auth: {
    providerName: 'Nous Research, or the provider of the model',
    envVars: providerKeys('OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'),
    otherKeys: OTHER_KEYS,
    files: [
      { path: '~/.hermes/auth.json', method: 'oauth' },
      {
        path: '~/.hermes/.env',
        method: 'config_file',
        format: 'env',
        // By name: keys of search engines and chat services are in the same file.
        keys: ['OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', ...OTHER_KEYS],
      },
      {
        path: '~/.hermes/config.yaml',
        method: 'config_file',
        format: 'yaml',
        keys: ['model.api_key', 'custom_providers.api_key', 'providers.*.api_key'],
      },
    ],
    loginCommand: 'hermes setup',
    documentationUrls: ['https://hermes-agent.nousresearch.com/docs'],
  },
  quirks: [
    'By itself it asks only about commands that look dangerous, and lets a model decide (`approvals.mode: smart`). In a run it asks about every command, and a person or the policy decides. It does not ask before Python code (`execute_code`) and calls of MCP servers.',
    'A request for a permission that nobody answers within 60 seconds is denied by the agent.',
    'An endpoint is set in a settings directory of the run (HERMES_MANAGED_DIR), which wins over config.yaml; where an administrator uses that, no endpoint can be set.',
    'Only sessions that were begun over ACP can be resumed or forked by a run; its own screen can resume all.',
    'The ends of some calls (files, processes, memory) are not reported over ACP: they are read from its log, without their output.',
    'ACP tells the output of a command up to 500 characters; its database has all of it.',
    'The thinking effort is that of its settings; ACP takes none.',
  ],
})
