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
  agent: 'opencode-http',
  displayName: 'OpenCode (HTTP)',
  cliCommand: 'opencode',
  // Only 1.18.33 was run. The routes are older, but how much older is not proven here.
  minVersion: '1.0.0',
  provenVersion: '1.18.33',
  verification: 'verified',
  npmPackage: 'opencode-ai',
  homepage: 'https://opencode.ai/docs/server/',
  capabilities: {
    ...CAPABILITIES,
    supportsQuestions: true,
    supportsStructuredOutput: true,
    supportsSteer: true,
    authFiles: ['~/.local/share/opencode/auth.json'],
    installMethods: [{ platform: 'all', type: 'npm', command: 'npm install -g opencode-ai', notes: SCRIPT_NOTE }],
  },
  models: MODELS,
  configSchema: {
    configFilePaths: ['~/.config/opencode/opencode.json'],
    projectConfigFilePaths: ['opencode.json'],
    configFormat: 'json',
    fields: CONFIG_FIELDS,
  },
  // A tool process cannot tell which form of OpenCode it runs below; it counts as `opencode`.
  hostEnvSignals: [],
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
    documentationUrls: ['https://opencode.ai/docs/server/'],
  },
  quirks: [
    ...COMMON_QUIRKS,
    'Every run starts a server of its own, on 127.0.0.1, with a random password, and ends it. Unknown paths answer 200 with a page, so health is asked of /global/health.',
    'The richest form: deltas, retries, questions, structured output, and the tokens of sub-agents.',
    'A denied call ends the turn, unless the denial has a reason, which the model is told.',
    'A message sent while a turn runs is taken up before the next request to the model.',
  ],
})
