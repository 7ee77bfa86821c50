import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = {
  npmPackage: '@earendil-works/pi-coding-agent',
  command: 'pi',
  runtime: 'node22',
  bundled: [
    '@earendil-works/pi-agent-core',
    '@earendil-works/pi-ai',
    '@earendil-works/pi-codemode',
    '@earendil-works/pi-mcp',
    '@earendil-works/pi-tui',
  ],
  older: {
    npmPackage: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    command: 'pi',
    // It reports the models of its own day, of which we know none. The SDK of its provider tries again at a limit by itself:
    // between the prompt and the answer there is no record.
    lacks: {
      supportsMCP: false,
      supportsSessionId: false,
      supportsToolLists: false,
      supportsModelDiscovery: false,
      unreported: ['retries'],
    },
  },
}
