import { defineManifest, UP_TO_HIGH } from '../kit/define-manifest.ts'
import { providerKeys } from '../kit/provider-keys.ts'

const OTHER_KEYS = [
  ...['NOUS', 'GOOGLE', 'GEMINI', 'GLM', 'KIMI', 'MINIMAX', 'DEEPSEEK', 'XAI'].map((name) => `${name}_API_KEY`),
  ...['ANTHROPIC_TOKEN', 'HF_TOKEN', 'COPILOT_GITHUB_TOKEN', 'GITHUB_TOKEN'],
]

export const manifest = defineManifest({
  agent: 'hermes',
  displayName: 'Hermes Agent',
  cliCommand: 'hermes',
  provenVersion: '0.19.0',
  verification: 'unverified',
  sessionStore: '~/.hermes/state.db',
  homepage: 'https://hermes-agent.nousresearch.com/docs',
  capabilities: {
    supportedPlatforms: ['darwin', 'linux'],
    sessionPersistence: 'sqlite',
    thinkingEffortLevels: UP_TO_HIGH,
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
  hostEnvSignals: ['HERMES_SESSION_ID'],
  // By name: HERMES_SESSION_ID marks a process below another Hermes and must not get through.
  passEnv: [
    'HERMES_HOME',
    'HERMES_PROFILE',
    'HERMES_MODEL',
    'HERMES_INFERENCE_*',
    'NOUS_INFERENCE_BASE_URL',
    'OPENROUTER_BASE_URL',
    'ANTHROPIC_BASE_URL',
    'OPENAI_BASE_URL',
    'GOOGLE_API_KEY',
    'GEMINI_API_KEY',
  ],
  directories: { '~/.hermes': ['$HERMES_HOME'] },
  auth: {
    providerName: 'Nous Research, or the provider of the model',
    envVars: providerKeys('OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'),
    otherKeys: OTHER_KEYS,
    files: [
      { path: '~/.hermes/auth.json', method: 'oauth' },
      {
        path: '~/.hermes/.env',
        method: 'config_file',
        format: 'env',
        // By name: keys of search engines and chat services are in the same file.
        keys: ['OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', ...OTHER_KEYS],
      },
      {
        path: '~/.hermes/config.yaml',
        method: 'config_file',
        format: 'yaml',
        keys: ['model.api_key', 'custom_providers.api_key', 'providers.*.api_key'],
      },
    ],
    loginCommand: 'hermes setup',
    documentationUrls: ['https://hermes-agent.nousresearch.com/docs'],
  },
  quirks: [
    'Written from its source; the CLI was never run. Variables and files are as its reference of environment variables tells them, but for HERMES_PROFILE and HERMES_INFERENCE_*, which stand in the source only.',
    'Live runs speak ACP; one-shot runs its own stream, which tells the tokens, but no thoughts and no costs.',
    'One-shot, nobody can be asked: what it would ask about is refused, unless the mode is yolo.',
    'The output of a tool is cut after 5000 characters there.',
  ],
})
