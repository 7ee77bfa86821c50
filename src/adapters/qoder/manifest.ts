import { defineManifest, pluginCommands } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'qoder',
  displayName: 'Qoder CLI',
  cliCommand: 'qodercli',
  minVersion: '1.1.0',
  provenVersion: '1.1.52',
  verification: 'partly-verified',
  npmPackage: '@qoder-ai/qodercli',
  homepage: 'https://docs.qoder.com/cli/using-cli',
  capabilities: {
    canFork: true,
    sessionPersistence: 'file',
    supportsAddDirs: true,
    pluginFormats: ['mcp-server', 'skill-directory'],
    ...pluginCommands('qodercli plugins', { list: 'list --json', search: 'list --available --json' }),
  },
  configSchema: {
    configFilePaths: ['~/.qoder/settings.json'],
    projectConfigFilePaths: ['.qoder/settings.json'],
    configFormat: 'json',
    fields: [{ path: 'model', nativeKeyPath: 'model.name' }, { path: 'mcpServers' }],
  },
  plugins: { scopes: { global: ['--scope=user'], project: ['--scope=project'] } },
  auth: {
    providerName: 'Qoder',
    envVars: [
      { name: 'QODER_PERSONAL_ACCESS_TOKEN', method: 'api_key', description: 'A personal access token of Qoder.' },
    ],
    files: [{ path: '~/.qoder/.auth/user', method: 'browser_login', format: 'sealed' }],
    loginCommand: 'qodercli login',
    verifyCommand: 'qodercli status',
    documentationUrls: ['https://docs.qoder.com/cli/using-cli'],
  },
  quirks: [
    'Only the start was seen on the real CLI: its models need an account and run at Qoder only.',
    'Live runs speak ACP (a flag that its help does not tell); one-shot runs its own stream, in the form of Claude Code.',
    'Without a way to the network it is silent for a minute before it says that nobody is signed in.',
    'A token in QODER_PERSONAL_ACCESS_TOKEN is exchanged online at each start.',
  ],
})
