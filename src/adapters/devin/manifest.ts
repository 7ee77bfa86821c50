import { defineManifest } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'devin',
  displayName: 'Devin CLI',
  cliCommand: 'devin',
  verification: 'unverified',
  homepage: 'https://docs.devin.ai/cli',
  capabilities: {
    authMethods: ['browser_login'],
    installMethods: [{ platform: 'all', type: 'manual', command: 'See https://docs.devin.ai/cli' }],
  },
  configSchema: {
    configFilePaths: ['~/.config/devin/config.json'],
    projectConfigFilePaths: ['.devin/config.json', '.devin/config.local.json'],
    configFormat: 'json',
    fields: [
      { path: 'model', nativeKeyPath: 'agent.model' },
      { path: 'allowedCommands', nativeKeyPath: 'permissions.allow' },
      { path: 'deniedCommands', nativeKeyPath: 'permissions.deny' },
    ],
  },
  passEnv: ['DEVIN_*'],
  directories: { '~/.config': ['$XDG_CONFIG_HOME'] },
  auth: {
    providerName: 'Cognition',
    envVars: [],
    files: [],
    loginCommand: 'devin auth login',
    verifyCommand: 'devin auth status',
    documentationUrls: ['https://docs.devin.ai/cli'],
  },
  quirks: [
    'Written from its documents and the ACP registry; the CLI was never run.',
    'Runs over ACP, also one-shot: its own `-p` prints text only.',
    'It says much on stderr, which tells nothing.',
    'Its documents name no variable of its own; DEVIN_* is passed on in case there is one.',
  ],
})
