import { defineManifest } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'kiro',
  displayName: 'Kiro CLI',
  cliCommand: 'kiro-cli',
  verification: 'unverified',
  homepage: 'https://kiro.dev/docs/cli/acp/',
  capabilities: {
    sessionPersistence: 'file',
    supportedPlatforms: ['darwin', 'linux'],
    authMethods: ['browser_login'],
    installMethods: [{ platform: 'all', type: 'curl', command: 'curl -fsSL https://cli.kiro.dev/install | bash' }],
  },
  auth: {
    providerName: 'Kiro',
    envVars: [{ name: 'KIRO_API_KEY', method: 'api_key', description: 'A key of a Kiro account.' }],
    files: [],
    loginCommand: 'kiro-cli login',
    verifyCommand: 'kiro-cli whoami',
    documentationUrls: ['https://kiro.dev/docs/cli/acp/'],
  },
  quirks: [
    'Written from its documents; the CLI was never run. It is what became of the Amazon Q CLI.',
    'Its sessions are documented in two ways, as a database and as files of JSON lines. agent-mux reads neither.',
    'Runs over ACP, also one-shot: its own `chat --no-interactive` prints text only, and not the id of its session.',
    'Its hooks can be installed as a file in `.kiro/hooks` (Kiro CLI 3); they are written from its documents and were never seen to fire.',
  ],
})
