import { defineManifest } from '../../core/define-manifest.ts'
import {
  CAPABILITIES,
  COMMON_QUIRKS,
  CONFIG_FIELDS,
  MODELS,
  PROVIDER_ENV,
  PROVIDER_KEYS,
} from '../../core/opencode/manifest.ts'

const SCRIPT_NOTE = 'With --ignore-scripts npm installs only a stub: run `node postinstall.mjs` in the package.'

export const manifest = defineManifest({
  agent: 'opencode',
  displayName: 'OpenCode',
  cliCommand: 'opencode',
  // Only 1.18.33 was run. The records of `run` are older, but how much older is not proven here.
  minVersion: '1.0.0',
  provenVersion: '1.18.33',
  verification: 'verified',
  npmPackage: 'opencode-ai',
  homepage: 'https://opencode.ai/docs/',
  capabilities: {
    ...CAPABILITIES,
    authFiles: ['~/.local/share/opencode/auth.json'],
    installMethods: [
      { platform: 'all', type: 'npm', command: 'npm install -g opencode-ai', notes: SCRIPT_NOTE },
      { platform: 'darwin', type: 'brew', command: 'brew install sst/tap/opencode' },
    ],
  },
  models: MODELS,
  configSchema: {
    configFilePaths: ['~/.config/opencode/opencode.json'],
    projectConfigFilePaths: ['opencode.json'],
    configFormat: 'json',
    fields: CONFIG_FIELDS,
  },
  hostEnvSignals: ['OPENCODE', 'OPENCODE_PID'],
  // By name: OPENCODE and OPENCODE_PID mark a process below another OpenCode and must not get through.
  passEnv: [
    ...PROVIDER_ENV,
    'OPENCODE_API_KEY',
    'OPENCODE_AUTH_CONTENT',
    'OPENCODE_CONFIG',
    'OPENCODE_CONFIG_DIR',
    'OPENCODE_DB',
    'OPENCODE_DISABLE_*',
  ],
  auth: {
    providerName: 'any of the providers that OpenCode knows',
    envVars: [
      ...PROVIDER_KEYS,
      { name: 'OPENCODE_API_KEY', method: 'api_key', description: 'For models of OpenCode Zen.' },
    ],
    files: [{ path: '~/.local/share/opencode/auth.json', method: 'token_file' }],
    loginCommand: 'opencode auth login',
    verifyCommand: 'opencode auth list',
    documentationUrls: ['https://opencode.ai/docs/providers/'],
  },
  quirks: [
    ...COMMON_QUIRKS,
    'A live run tells the tokens of the last request to the model in each turn only, though the costs of all. One-shot runs and opencode-http count every request.',
    'A one-shot run tells text and thinking as whole parts; the deltas come in live runs.',
    'What sub-agents use is in their own sessions: neither form tells their tokens and costs.',
    'A denied call ends the turn of a one-shot run. The CLI exits 0 then; the result says permission_blocked.',
    'The title of a session is asked of a model in a second, small request, which is not in the usage.',
    'A `.opencode` folder in the project makes the CLI install a package from npm into it.',
  ],
})
