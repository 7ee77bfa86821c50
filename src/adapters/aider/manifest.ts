import type { AuthFile } from '../../contract/manifest.ts'
import { defineManifest, EVERY_APPROVAL_MODE, ONE_WAY, UP_TO_HIGH } from '../kit/define-manifest.ts'
import { MORE_PROVIDER_KEYS, providerKeys, providerVariables } from '../kit/provider-keys.ts'

/** Each of its options is a variable as well. */
const OWN_KEYS = ['AIDER_ANTHROPIC_API_KEY', 'AIDER_OPENAI_API_KEY', 'AIDER_API_KEY']

function aiderVariables(path: string): AuthFile {
  const file = providerVariables(path)
  return { ...file, keys: [...(file.keys ?? []), ...OWN_KEYS] }
}

export const manifest = defineManifest({
  agent: 'aider',
  displayName: 'Aider',
  cliCommand: 'aider',
  verification: 'unverified',
  homepage: 'https://aider.chat/docs/scripting.html',
  capabilities: {
    ...ONE_WAY,
    canResume: false,
    sessionPersistence: 'file',
    approvalModes: EVERY_APPROVAL_MODE,
    thinkingEffortLevels: UP_TO_HIGH,
    supportsThinkingStreaming: false,
    supportsThinkingBudgetTokens: true,
    supportsNativeTools: false,
    authMethods: ['config_file'],
    installMethods: [{ platform: 'all', type: 'pip', command: 'python -m pip install aider-install && aider-install' }],
    unreported: ['refusals', 'retries'],
  },
  configSchema: {
    configFilePaths: ['~/.aider.conf.yml'],
    projectConfigFilePaths: ['.aider.conf.yml'],
    configFormat: 'yaml',
    fields: [{ path: 'model' }],
  },
  passEnv: ['AIDER_*', 'OPENAI_API_BASE', 'GEMINI_API_KEY'],
  auth: {
    providerName: 'the provider of the model',
    envVars: providerKeys('ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'),
    files: [
      {
        path: '~/.aider.conf.yml',
        method: 'config_file',
        format: 'yaml',
        keys: ['anthropic-api-key', 'openai-api-key', 'api-key'],
      },
      ...['~/.env', '~/.aider/oauth-keys.env'].map(aiderVariables),
    ],
    otherKeys: [...MORE_PROVIDER_KEYS, 'GEMINI_API_KEY', ...OWN_KEYS],
    documentationUrls: ['https://aider.chat/docs/llms.html'],
  },
  quirks: [
    'Written from its documents; the CLI was never run.',
    'Tells its answer and nothing else: no calls of tools, no session. It has no tools either, but edits files and may run commands.',
    'Edits are made without asking in every mode but deny, which is its dry run. `yolo` says yes to all else that it asks.',
    'It commits what it edits, as its own settings say.',
    'There is one history for each directory and no id, so a session cannot be resumed.',
    'It exits 0 after a failed request, so the outcome rests on the words that it prints.',
    'Nothing in its text says that the answer is whole: a run that hangs after it ends as timed_out after ten silent minutes (inactivityTimeout).',
    'It has no hooks.',
  ],
})
