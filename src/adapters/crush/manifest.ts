import { defineManifest, ONE_WAY } from '../../core/define-manifest.ts'

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
    authMethods: ['api_key', 'config_file'],
    authFiles: ['~/.local/share/crush/crush.json'],
    installMethods: [
      { platform: 'all', type: 'npm', command: 'npm install -g @charmland/crush' },
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
  passEnv: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY', 'CRUSH_GLOBAL_CONFIG'],
  auth: {
    providerName: 'the provider of the model',
    envVars: [
      { name: 'ANTHROPIC_API_KEY', method: 'api_key', description: 'For models of Anthropic.' },
      { name: 'OPENAI_API_KEY', method: 'api_key', description: 'For models of OpenAI.' },
      { name: 'OPENROUTER_API_KEY', method: 'api_key', description: 'For models of OpenRouter.' },
    ],
    files: [{ path: '~/.local/share/crush/crush.json', method: 'config_file' }],
    documentationUrls: ['https://github.com/charmbracelet/crush'],
  },
  quirks: [
    'Written from its source; the CLI was never run.',
    'Tells its answer and nothing else: no calls of tools, no tokens, no id of the session.',
    'A run allows every call of a tool, whatever the approvalMode says.',
  ],
})
