import { defineManifest } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'vibe',
  displayName: 'Mistral Vibe',
  // A program of its own beside `vibe`, from the same package.
  cliCommand: 'vibe-acp',
  provenVersion: '3.0.2',
  verification: 'verified',
  sessionStore: '~/.vibe/logs/session/unified',
  homepage: 'https://github.com/mistralai/mistral-vibe',
  capabilities: {
    sessionPersistence: 'file',
    supportsMaxTurns: true,
    // The model reaches their tools only by programs for `run_typescript` (3.0.2), which is not proven yet.
    supportsMCP: false,
    // It sends images only to a model with `supports_images` (3.0.2).
    unreported: ['refusals'],
    supportsImageInput: false,
    supportsFileAttachments: false,
    endpointProtocols: ['openai-chat'],
    installMethods: [
      { platform: 'all', type: 'pip', command: 'uv tool install mistral-vibe' },
      { platform: 'linux', type: 'curl', command: 'curl -LsSf https://mistral.ai/vibe/install.sh | bash' },
      { platform: 'darwin', type: 'curl', command: 'curl -LsSf https://mistral.ai/vibe/install.sh | bash' },
    ],
  },
  configSchema: {
    configFilePaths: ['~/.vibe/config.toml'],
    projectConfigFilePaths: ['.vibe/config.toml'],
    configFormat: 'toml',
    fields: [{ path: 'model', nativeKeyPath: 'active_model' }],
  },
  passEnv: ['VIBE_*'],
  directories: { '~/.vibe': ['$VIBE_HOME'] },
  auth: {
    providerName: 'Mistral AI',
    envVars: [{ name: 'MISTRAL_API_KEY', method: 'api_key', description: 'A key of the Mistral platform.' }],
    files: [
      { path: '~/.vibe/.env', method: 'config_file', format: 'env', keys: ['*_API_KEY'] },
      {
        path: '~/.vibe/config.toml',
        method: 'config_file',
        format: 'toml',
        keys: [],
        variables: ['providers.api_key_env_var'],
      },
    ],
    loginCommand: 'vibe --setup',
    documentationUrls: ['https://github.com/mistralai/mistral-vibe'],
  },
  quirks: [
    'Runs over ACP, also one-shot. Without a mode it edits files unasked, so the mode of the session is always set.',
    'Its counts are those of the whole session. What a resumed session had used before is subtracted.',
    'It asks the model for a title after the first turn and does not count that request, so we switch it off: a session is called as its prompt.',
    'MCP servers are refused for now: the model reaches their tools only by programs that it writes for `run_typescript`.',
    'It tries again for minutes (`api_retry_max_elapsed_time`, 300 s by its source).',
    'Settings of a project count only once its directory is trusted.',
  ],
})
