import { defineManifest } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'vibe',
  displayName: 'Mistral Vibe',
  // A program of its own beside `vibe`, from the same package.
  cliCommand: 'vibe-acp',
  provenVersion: '3.0.2',
  verification: 'unverified',
  homepage: 'https://github.com/mistralai/mistral-vibe',
  capabilities: {
    // It keeps them in a journal of its own form, which we do not read.
    sessionPersistence: 'none',
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
    'Written from its source; the CLI was never run. Runs over ACP, also one-shot. Files and variables are as docs.mistral.ai tells them.',
    'Settings of a project count only once its directory is trusted.',
  ],
})
