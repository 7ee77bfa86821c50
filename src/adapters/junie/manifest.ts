import { defineManifest, npmInstall } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'junie',
  displayName: 'Junie',
  cliCommand: 'junie',
  verification: 'unverified',
  npmPackage: '@jetbrains/junie',
  homepage: 'https://junie.jetbrains.com/docs/junie-cli.html',
  capabilities: {
    canFork: true,
    authMethods: ['browser_login'],
    installMethods: [npmInstall('@jetbrains/junie', 'The package only fetches the program from GitHub.')],
  },
  auth: {
    providerName: 'JetBrains',
    envVars: [{ name: 'JUNIE_API_KEY', method: 'api_key', description: 'A token of a JetBrains account.' }],
    files: [],
    documentationUrls: ['https://junie.jetbrains.com/docs/junie-cli.html'],
  },
  quirks: [
    'Written from the ACP registry and its probes; the CLI was never run.',
    'A session opens without an account; only the first prompt tells that one is needed.',
  ],
})
