import { defineManifest } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'auggie',
  displayName: 'Auggie',
  cliCommand: 'auggie',
  minVersion: '0.36.0',
  provenVersion: '0.36.0',
  verification: 'partly-verified',
  npmPackage: '@augmentcode/auggie',
  homepage: 'https://docs.augmentcode.com/cli/overview',
  capabilities: {
    sessionPersistence: 'file',
    authMethods: ['token_file'],
  },
  configSchema: {
    configFilePaths: ['~/.augment/settings.json'],
    configFormat: 'json',
    fields: [{ path: 'mcpServers' }],
  },
  hostEnvSignals: ['AUGMENT_AGENT'],
  passEnv: ['AUGMENT_API_URL', 'GITHUB_API_TOKEN'],
  auth: {
    providerName: 'Augment',
    envVars: [
      { name: 'AUGMENT_SESSION_AUTH', method: 'oauth', description: 'What `auggie token print` prints.' },
      { name: 'AUGMENT_API_TOKEN', method: 'api_key', description: 'Goes with AUGMENT_API_URL.' },
    ],
    files: [{ path: '~/.augment/session.json', method: 'oauth', variable: 'AUGMENT_SESSION_AUTH' }],
    loginCommand: 'auggie login',
    documentationUrls: ['https://docs.augmentcode.com/cli/overview'],
  },
  quirks: [
    'Only the start was seen on the real CLI: its models need an account and run at Augment only.',
    'Runs over ACP, also one-shot: its own `--print` gives one object at the end, and nothing on the way.',
    'It cannot be signed in over ACP: run `auggie login` before.',
  ],
})
