import { defineManifest, EVERY_APPROVAL_MODE } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'letta',
  displayName: 'Letta Code',
  cliCommand: 'letta',
  minVersion: '0.25.0',
  provenVersion: '0.25.9',
  verification: 'partly-verified',
  sessionStore: '~/.letta/lc-local-backend',
  npmPackage: '@letta-ai/letta-code',
  homepage: 'https://docs.letta.com/letta-code',
  capabilities: {
    sessionPersistence: 'file',
    supportsMCP: false,
    approvalModes: EVERY_APPROVAL_MODE,
    supportsToolLists: true,
    supportsImageInput: false,
    supportsFileAttachments: false,
    authMethods: ['oauth'],
    unreported: ['refusals'],
  },
  configSchema: {
    configFilePaths: ['~/.letta/settings.json'],
    projectConfigFilePaths: ['.letta/settings.json'],
    configFormat: 'json',
    fields: [
      { path: 'allowedCommands', nativeKeyPath: 'permissions.allow' },
      { path: 'deniedCommands', nativeKeyPath: 'permissions.deny' },
    ],
  },
  hostEnvSignals: ['LETTA_AGENT_ID', 'LETTA_CONVERSATION_ID'],
  passEnv: ['LETTA_BASE_URL', 'LETTA_LOCAL_BACKEND_EXPERIMENTAL', 'LETTA_LOCAL_BACKEND_DIR'],
  directories: { '~/.letta/lc-local-backend': ['$LETTA_LOCAL_BACKEND_DIR'] },
  auth: {
    providerName: 'Letta',
    envVars: [{ name: 'LETTA_API_KEY', method: 'api_key', description: 'A key of app.letta.com.' }],
    files: [
      { path: '~/.letta/lc-local-backend/providers/auth.json', method: 'config_file' },
      { path: '~/.letta/settings.json', method: 'oauth', keys: ['env.LETTA_API_KEY', 'refreshToken'] },
    ],
    documentationUrls: ['https://docs.letta.com/letta-code'],
  },
  quirks: [
    'Seen on the real CLI: the start without an account, and whole runs on its local backend (LETTA_LOCAL_BACKEND_EXPERIMENTAL=1 and `letta connect`). Runs on the Letta service were not.',
    'A session is a conversation of an agent that Letta keeps; a run without one begins a new conversation of the last agent.',
    'The output of a tool is not reported: the result of a call is empty.',
    'Without an approvalMode the CLI would allow everything; agent-mux asks for approvals unless you choose another mode.',
  ],
})
