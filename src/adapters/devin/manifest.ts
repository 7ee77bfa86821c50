import { defineManifest } from '../../core/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'devin',
  displayName: 'Devin CLI',
  cliCommand: 'devin',
  verification: 'unverified',
  homepage: 'https://cli.devin.ai/docs',
  capabilities: {
    pluginFormats: ['mcp-server'],
    authMethods: ['browser_login'],
    installMethods: [{ platform: 'all', type: 'manual', command: 'See https://cli.devin.ai/docs' }],
  },
  passEnv: ['DEVIN_*'],
  auth: {
    providerName: 'Cognition',
    envVars: [],
    files: [],
    loginCommand: 'devin auth login',
    documentationUrls: ['https://cli.devin.ai/docs'],
  },
  quirks: [
    'Written from its documents and the ACP registry; the CLI was never run.',
    'Runs over ACP, also one-shot: its own `-p` prints text only.',
    'It says much on stderr, which tells nothing.',
  ],
})
