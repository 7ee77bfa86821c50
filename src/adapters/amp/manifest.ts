import { defineManifest, EVERY_APPROVAL_MODE, ONE_WAY } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'amp',
  displayName: 'Amp',
  cliCommand: 'amp',
  provenVersion: '0.0.1790142911-g7618fb',
  verification: 'partly-verified',
  npmPackage: '@ampcode/cli',
  homepage: 'https://ampcode.com/docs',
  capabilities: {
    ...ONE_WAY,
    supportsMCP: true,
    approvalModes: EVERY_APPROVAL_MODE,
    supportsSubagentDispatch: true,
  },
  configSchema: {
    configFilePaths: ['~/.config/amp/settings.json'],
    projectConfigFilePaths: ['.amp/settings.json'],
    configFormat: 'json',
  },
  passEnv: ['AMP_URL', 'AMP_SETTINGS_FILE'],
  directories: {
    '~/.local/share': ['$XDG_DATA_HOME'],
    '~/.config': ['$XDG_CONFIG_HOME'],
    '~/.config/amp/settings.json': ['$AMP_SETTINGS_FILE'],
  },
  auth: {
    providerName: 'Amp',
    envVars: [{ name: 'AMP_API_KEY', method: 'api_key', description: 'An access token of ampcode.com.' }],
    files: [{ path: '~/.local/share/amp/secrets.json', method: 'browser_login', keys: ['apiKey@*'] }],
    loginCommand: 'amp login',
    documentationUrls: ['https://ampcode.com/docs'],
  },
  quirks: [
    'Only the start was seen on the real CLI: threads live on its server and need an account.',
    'A model cannot be named: `model` is the mode of the agent (low, medium, high, ultra, or one of a plugin).',
    'Nobody can be asked while it runs: what its permission rules do not allow is refused.',
    'An approvalMode other than prompt, and nothing else, comes in a settings file of its own, which stands in for that of the user.',
    'Without a key it prints an address to sign in at and waits for ever; agent-mux ends it at once.',
    'Threads are archived after a run unless they are to be continued; agent-mux leaves them open.',
    'Its hooks can be installed as a plugin; they are written from its documents and were never seen to fire.',
  ],
})
