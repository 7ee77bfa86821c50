import {
  ACP_QUIRKS,
  CAPABILITIES,
  COMMON_QUIRKS,
  CONFIG_FIELDS,
  MODELS,
  PLUGIN_SCOPES,
  PLUGIN_WORDS,
  PROVIDER_ENV,
  PROVIDER_KEYS,
  providerConfigs,
} from '../families/opencode/manifest.ts'
import { defineManifest, pluginCommands } from '../kit/define-manifest.ts'
import { MORE_PROVIDER_KEYS } from '../kit/provider-keys.ts'

// 7.7.9 reads all of them.
const SETTINGS = ['kilo.json', 'kilo.jsonc', 'opencode.json', 'opencode.jsonc', 'config.json']

export const manifest = defineManifest({
  agent: 'kilo',
  displayName: 'Kilo',
  cliCommand: 'kilo',
  // Only 7.7.9 was run. It is OpenCode with the maker's own gateway, agents and telemetry.
  minVersion: '7.0.0',
  provenVersion: '7.7.9',
  verification: 'verified',
  sessionStore: '~/.local/share/kilo/kilo.db',
  npmPackage: '@kilocode/cli',
  homepage: 'https://kilo.ai/docs/cli',
  capabilities: {
    usageAfterTurn: ['live'],
    // The title of a session, as in OpenCode.
    unreported: ['side requests'],
    ...CAPABILITIES,
    ...pluginCommands('kilo', PLUGIN_WORDS),
    supportsTerminal: true,
  },
  models: MODELS,
  configSchema: {
    configFilePaths: ['~/.config/kilo/kilo.jsonc'],
    projectConfigFilePaths: ['kilo.json'],
    configFormat: 'json',
    fields: CONFIG_FIELDS,
  },
  hostEnvSignals: ['KILO', 'KILO_PID'],
  // By name: KILO, KILO_PID and KILO_RUN_ID mark a process below another Kilo and must not get through.
  passEnv: [
    ...PROVIDER_ENV,
    'KILO_API_KEY',
    'KILO_AUTH_CONTENT',
    'KILO_CONFIG',
    'KILO_CONFIG_CONTENT',
    'KILO_CONFIG_DIR',
    'KILO_DB',
    'KILO_DISABLE_*',
    'KILO_ORG_ID',
    'KILO_TELEMETRY_LEVEL',
  ],
  joinEnv: ['KILO_CONFIG_CONTENT'],
  plugins: { scopes: PLUGIN_SCOPES },
  directories: {
    '~/.local/share': ['$XDG_DATA_HOME'],
    '~/.config': ['$XDG_CONFIG_HOME'],
    '~/.local/share/kilo/kilo.db': ['$XDG_DATA_HOME/kilo/$KILO_DB', '~/.local/share/kilo/$KILO_DB'],
  },
  auth: {
    providerName: 'Kilo, or any of the providers that it knows',
    envVars: [
      { name: 'KILO_API_KEY', method: 'api_key', description: "For models of Kilo's gateway." },
      ...PROVIDER_KEYS,
    ],
    files: [
      {
        path: '~/.local/share/kilo/auth.json',
        method: 'token_file',
        keys: ['*.key', '*.access', '*.refresh', '*.token'],
        variable: 'KILO_AUTH_CONTENT',
      },
      ...providerConfigs('~/.config/kilo', SETTINGS, 'KILO'),
    ],
    otherKeys: MORE_PROVIDER_KEYS,
    loginCommand: 'kilo auth login',
    verifyCommand: 'kilo auth list',
    documentationUrls: ['https://kilo.ai/docs/cli'],
  },
  quirks: [
    ...COMMON_QUIRKS,
    ...ACP_QUIRKS,
    'The first start on a machine can take more than a minute: it makes a database and fetches lists of models.',
    'npm installs no program, and says nothing, when the package of the platform is older than the one for all.',
    'A denied call ends the turn of a one-shot run. The CLI exits 1 then; the result says permission_blocked.',
  ],
})
