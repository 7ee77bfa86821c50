import { defineManifest, npmInstall, ONE_WAY } from '../kit/define-manifest.ts'
import { MORE_PROVIDER_KEYS, providerKeys } from '../kit/provider-keys.ts'

export const manifest = defineManifest({
  agent: 'crush',
  displayName: 'Crush',
  cliCommand: 'crush',
  verification: 'unverified',
  npmPackage: '@charmland/crush',
  homepage: 'https://github.com/charmbracelet/crush',
  capabilities: {
    ...ONE_WAY,
    sessionPersistence: 'sqlite',
    // Its `run` allows every call; no flag makes it ask.
    approvalModes: ['prompt', 'yolo'],
    supportsThinking: false,
    supportsThinkingStreaming: false,
    installMethods: [
      npmInstall('@charmland/crush'),
      { platform: 'darwin', type: 'brew', command: 'brew install charmbracelet/tap/crush' },
    ],
    unreported: ['refusals', 'retries'],
  },
  configSchema: {
    configFilePaths: ['~/.config/crush/crush.json'],
    projectConfigFilePaths: ['crush.json', '.crush.json'],
    configFormat: 'json',
  },
  hostEnvSignals: ['CRUSH'],
  passEnv: ['GEMINI_API_KEY', 'CRUSH_GLOBAL_CONFIG', 'CRUSH_GLOBAL_DATA'],
  directories: {
    '~/.config': ['$XDG_CONFIG_HOME'],
    '~/.local/share': ['$XDG_DATA_HOME'],
    '~/.config/crush': ['$CRUSH_GLOBAL_CONFIG'],
    '~/.local/share/crush': ['$CRUSH_GLOBAL_DATA'],
  },
  auth: {
    providerName: 'the provider of the model',
    envVars: providerKeys('ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'),
    files: [
      {
        path: '~/.local/share/crush/crush.json',
        method: 'config_file',
        keys: ['providers.*.api_key', 'providers.*.oauth.access_token', 'providers.*.oauth.refresh_token'],
      },
      { path: '~/.config/crush/crush.json', method: 'config_file', keys: ['providers.*.api_key'] },
    ],
    otherKeys: MORE_PROVIDER_KEYS,
    documentationUrls: ['https://github.com/charmbracelet/crush'],
  },
  quirks: [
    'Written from its source (internal/cmd/run.go); the CLI was never run: its npm package downloads a release from GitHub when it is installed, and the Go module proxy that we tried refused its module.',
    'It reports its answer and nothing else: no calls of tools, no tokens, no id of the session.',
    'A run allows every call of a tool, whatever the approvalMode says.',
    'Nothing in its text says that the answer is whole: a run that hangs after it ends as timed_out after ten silent minutes (inactivityTimeout).',
    'Its hooks (PreToolUse only) can be installed into crush.json; they are written from its source and were never seen to fire.',
  ],
})
