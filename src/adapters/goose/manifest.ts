import { defineManifest, EVERY_APPROVAL_MODE } from '../kit/define-manifest.ts'
import { MORE_PROVIDER_KEYS } from '../kit/provider-keys.ts'

export const manifest = defineManifest({
  agent: 'goose',
  displayName: 'goose',
  cliCommand: 'goose',
  verification: 'unverified',
  homepage: 'https://goose-docs.ai',
  capabilities: {
    sessionPersistence: 'sqlite',
    approvalModes: EVERY_APPROVAL_MODE,
    supportsSubagentDispatch: true,
    authMethods: ['keychain'],
    installMethods: [
      { platform: 'darwin', type: 'brew', command: 'brew install block-goose-cli' },
      {
        platform: 'all',
        type: 'curl',
        command: 'curl -fsSL https://github.com/block/goose/releases/download/stable/download_cli.sh | bash',
      },
    ],
  },
  configSchema: {
    configFilePaths: ['~/.config/goose/config.yaml'],
    configFormat: 'yaml',
    fields: [
      { path: 'model', nativeKeyPath: 'GOOSE_MODEL' },
      { path: 'provider', nativeKeyPath: 'GOOSE_PROVIDER' },
    ],
  },
  hostEnvSignals: ['GOOSE_TERMINAL'],
  // By name: GOOSE_TERMINAL marks a process below another goose and must not get through.
  passEnv: [
    'GOOSE_PROVIDER*',
    'GOOSE_MODEL*',
    'GOOSE_TEMPERATURE',
    'GOOSE_PREDEFINED_MODELS',
    'GOOSE_LEAD_*',
    'GOOSE_WORKER_*',
    'GOOSE_PLANNER_*',
    'GOOSE_SUBAGENT_*',
    'GOOSE_MAX_*',
    'GOOSE_CONTEXT_*',
    'GOOSE_AUTO_COMPACT_THRESHOLD',
    'GOOSE_TOOLSHIM*',
    'GOOSE_ALLOWLIST',
    'GOOSE_SEARCH_PATHS',
    'GOOSE_TELEMETRY_ENABLED',
    'GOOSE_DISABLE_*',
    'GOOSE_PATH_ROOT',
    'OPENAI_HOST',
    'OLLAMA_HOST',
    'DATABRICKS_HOST',
    'DATABRICKS_TOKEN',
    'GOOGLE_API_KEY',
  ],
  directories: { '~/.config/goose': ['$GOOSE_PATH_ROOT/config'], '~/.config': ['$XDG_CONFIG_HOME'] },
  auth: {
    providerName: 'the provider of the model',
    envVars: [
      { name: 'ANTHROPIC_API_KEY', method: 'api_key', description: 'With GOOSE_PROVIDER=anthropic.' },
      { name: 'OPENAI_API_KEY', method: 'api_key', description: 'With GOOSE_PROVIDER=openai.' },
      { name: 'OPENROUTER_API_KEY', method: 'api_key', description: 'With GOOSE_PROVIDER=openrouter.' },
    ],
    otherKeys: [...MORE_PROVIDER_KEYS, 'GOOGLE_API_KEY', 'DATABRICKS_TOKEN'],
    // Without a keyring the secrets are in a file of their own.
    files: [
      { path: '~/.config/goose/secrets.yaml', method: 'token_file', format: 'yaml' },
      {
        path: '~/.config/goose/config.yaml',
        method: 'config_file',
        format: 'yaml',
        keys: ['*_API_KEY', '*_TOKEN'],
        setUp: ['GOOSE_PROVIDER'],
      },
    ],
    loginCommand: 'goose configure',
    documentationUrls: ['https://goose-docs.ai'],
  },
  quirks: [
    'Written from its source; the CLI was never run: it is a download from GitHub, and the packages of its name on crates.io and npm are other programs. Variables and files are as in its guide to environment variables.',
    'Without a provider its ACP answers with an internal error and no reason, so the outcome is failed and not auth_required.',
    'Live runs speak ACP. One-shot runs use its own stream with yolo and deny, where nothing has to be asked, and ACP otherwise.',
    'A deny of a one-shot run is its mode chat, which has no tools at all.',
  ],
})
