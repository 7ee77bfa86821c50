import { defineManifest } from '../kit/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'cursor',
  displayName: 'Cursor CLI',
  // npm's package of this name is another program.
  cliCommand: 'cursor-agent',
  verification: 'unverified',
  homepage: 'https://cursor.com/docs/cli/overview',
  capabilities: {
    supportedPlatforms: ['darwin', 'linux'],
    sessionPersistence: 'sqlite',
    authMethods: ['keychain'],
    installMethods: [
      { platform: 'darwin', type: 'curl', command: 'curl https://cursor.com/install -fsS | bash' },
      { platform: 'linux', type: 'curl', command: 'curl https://cursor.com/install -fsS | bash' },
    ],
    runtimeHooks: { beforeShellExecution: 'blocking', afterFileEdit: 'nonblocking', stop: 'nonblocking' },
  },
  configSchema: {
    configFilePaths: ['~/.cursor/cli-config.json'],
    projectConfigFilePaths: ['.cursor/cli.json'],
    configFormat: 'json',
    fields: [
      { path: 'allowedCommands', nativeKeyPath: 'permissions.allow' },
      { path: 'deniedCommands', nativeKeyPath: 'permissions.deny' },
    ],
  },
  hostEnvSignals: ['CURSOR_AGENT'],
  passEnv: ['CURSOR_CONFIG_DIR'],
  sessionDir: '~/.cursor/chats',
  directories: {
    '~/.config': ['$XDG_CONFIG_HOME'],
    '~/.cursor/cli-config.json': ['$CURSOR_CONFIG_DIR/cli-config.json'],
  },
  auth: {
    providerName: 'Cursor',
    envVars: [
      { name: 'CURSOR_API_KEY', method: 'api_key', description: 'A key from the dashboard of Cursor.' },
      { name: 'CURSOR_AUTH_TOKEN', method: 'oauth', description: 'A token of a login, in the place of a key.' },
    ],
    files: [
      { path: '~/.config/cursor/auth.json', method: 'browser_login', keys: ['accessToken', 'refreshToken', 'apiKey'] },
    ],
    loginCommand: 'cursor-agent login',
    verifyCommand: 'cursor-agent status',
    documentationUrls: ['https://cursor.com/docs/cli/reference/authentication'],
  },
  quirks: [
    'Written from its documents and from records that others have published; the CLI was never run.',
    'Settings and variables are as its documents tell them (cursor.com/docs/cli/reference). Where the login is kept is what others have found: in that file on Linux, in the keychain on macOS.',
    'Live runs speak ACP; one-shot runs its own stream, which tells the tokens, too.',
    'One-shot, nobody can be asked: without yolo edits are only proposed, and commands are refused. A workspace is trusted.',
    'A session that does not exist is started again silently when a one-shot run names it.',
    'Input tokens are taken to leave out the cache, as the numbers that were published suggest.',
  ],
})
