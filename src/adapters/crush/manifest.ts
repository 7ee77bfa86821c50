import { defineManifest, npmInstall, ONE_WAY } from '../../core/define-manifest.ts'
import { providerKeys } from '../../core/provider-keys.ts'

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
    untold: ['refusals', 'retries'],
  },
  configSchema: {
    configFilePaths: ['~/.config/crush/crush.json'],
    projectConfigFilePaths: ['crush.json', '.crush.json'],
    configFormat: 'json',
  },
  hostEnvSignals: ['CRUSH'],
  passEnv: ['GEMINI_API_KEY', 'CRUSH_GLOBAL_CONFIG', 'CRUSH_GLOBAL_DATA'],
  auth: {
    providerName: 'the provider of the model',
    envVars: providerKeys('ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'),
    files: [{ path: '~/.local/share/crush/crush.json', method: 'config_file' }],
    documentationUrls: ['https://github.com/charmbracelet/crush'],
  },
  quirks: [
    'Written from its source (internal/cmd/run.go); the CLI was never run.',
    'Tells its answer and nothing else: no calls of tools, no tokens, no id of the session.',
    'A run allows every call of a tool, whatever the approvalMode says.',
  ],
})
