import { defineManifest, UP_TO_HIGH } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'agy',
  displayName: 'Antigravity CLI',
  cliCommand: 'agy',
  // The first one with the stream of records.
  minVersion: '1.1.8',
  verification: 'unverified',
  homepage: 'https://antigravity.google/docs/cli/headless',
  capabilities: {
    sessionPersistence: 'sqlite',
    supportsMCP: false,
    supportsApprovals: false,
    approvalModes: ['prompt', 'yolo'],
    supportsThinkingStreaming: false,
    thinkingEffortLevels: UP_TO_HIGH,
    supportsStructuredOutput: true,
    supportsSubagentDispatch: true,
    supportsInterrupt: false,
    supportsImageInput: false,
    supportsFileAttachments: false,
    authMethods: ['browser_login'],
    installMethods: [{ platform: 'all', type: 'manual', command: 'See https://antigravity.google/docs/cli/install' }],
  },
  configSchema: {
    configFilePaths: ['~/.gemini/antigravity-cli/settings.json'],
    configFormat: 'json',
  },
  auth: {
    providerName: 'Google',
    envVars: [],
    files: [],
    loginCommand: 'agy',
    documentationUrls: ['https://antigravity.google/docs/cli/headless'],
  },
  quirks: [
    'Written from its documents and the notes of release 1.1.8; the CLI was never run. It speaks no ACP.',
    'Nobody can be asked while it runs: what its permission rules do not allow is refused, and the run goes on.',
    'A turn that takes longer than five minutes is ended by the CLI, unless `timeout` says more.',
    'Thoughts are counted, but their text is not reported.',
  ],
})
