import { defineManifest } from '../../core/define-manifest.ts'

export const manifest = defineManifest({
  agent: 'hermes',
  displayName: 'Hermes Agent',
  cliCommand: 'hermes',
  verification: 'unverified',
  homepage: 'https://hermes-agent.nousresearch.com/docs',
  capabilities: {
    sessionPersistence: 'sqlite',
    thinkingEffortLevels: ['low', 'medium', 'high'],
    supportsMaxTurns: true,
    supportedPlatforms: ['darwin', 'linux'],
    pluginFormats: ['skill-directory', 'mcp-server'],
    authMethods: ['api_key', 'oauth', 'config_file'],
    authFiles: ['~/.hermes/.env', '~/.hermes/auth.json'],
    installMethods: [
      {
        platform: 'all',
        type: 'curl',
        command:
          'curl -fsSL https://raw.githubusercontent.com/NousResearch/hermes-agent/main/scripts/install.sh | bash',
        notes: 'The npm package of this name is not from its makers.',
      },
    ],
  },
  configSchema: {
    configFilePaths: ['~/.hermes/config.yaml'],
    configFormat: 'yaml',
  },
  passEnv: ['HERMES_*', 'OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'NOUS_API_KEY'],
  auth: {
    providerName: 'Nous Research, or the provider of the model',
    envVars: [
      { name: 'OPENROUTER_API_KEY', method: 'api_key', description: 'For models of OpenRouter.' },
      { name: 'ANTHROPIC_API_KEY', method: 'api_key', description: 'For models of Anthropic.' },
      { name: 'OPENAI_API_KEY', method: 'api_key', description: 'For models of OpenAI.' },
    ],
    files: [
      { path: '~/.hermes/auth.json', method: 'oauth' },
      { path: '~/.hermes/.env', method: 'config_file' },
    ],
    loginCommand: 'hermes login',
    documentationUrls: ['https://hermes-agent.nousresearch.com/docs'],
  },
  quirks: [
    'Written from its source; the CLI was never run.',
    'Live runs speak ACP; one-shot runs its own stream, which tells the tokens, but no thoughts and no costs.',
    'One-shot, nobody can be asked: what it would ask about is refused, unless the mode is yolo.',
    'The output of a tool is cut after 5000 characters there.',
  ],
})
