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
  minVersion: '0.86.0',
  provenVersion: '0.86.2',
  verification: 'verified',
  sessionStore: '~/.aider/sessions',
  homepage: 'https://aider.chat/docs/scripting.html',
  capabilities: {
    ...ONE_WAY,
    usageAfterTurn: ['live', 'one-shot'],
    supportsBudget: false,
    endpointProtocols: ['openai-chat', 'anthropic'],
    sessionPersistence: 'file',
    supportsSessionId: true,
    supportsEphemeral: true,
    supportsTextStreaming: false,
    supportsThinkingStreaming: false,
    supportsNativeTools: false,
    supportsParallelToolCalls: false,
    supportsFileAttachments: true,
    approvalModes: EVERY_APPROVAL_MODE,
    thinkingEffortLevels: UP_TO_HIGH,
    supportsThinkingBudgetTokens: true,
    authMethods: ['config_file'],
    installMethods: [{ platform: 'all', type: 'pip', command: 'python -m pip install aider-install && aider-install' }],
    unreported: ['cached tokens', 'side requests', 'refusals', 'retries'],
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
    'Its model has no tools: edits are a form of its text, which the CLI carries out when the answer is whole, and the model does not hear of it in that run.',
    'Commands are suggested only by models that the CLI trusts with them (edit format diff), and run only in `yolo`. `accept-edits` is `--yes-always`, which says no to commands.',
    '`prompt` answers no to all that it asks; files that the user has added to the chat (`file` in its settings) are edited without a question. `deny` is its dry run, too.',
    'The end of its stdin means yes to it, commands included: never start it with a closed stdin by hand.',
    'It reads settings from the project (.aider.conf.yml, .env), which may name commands, a server and keys, and say yes to edits; nothing switches that off. No command of theirs runs but in `yolo`, and an `endpoint` of the caller wins; without one, run it only in projects that you trust.',
    'It commits what it edits, as its own settings say. In `yolo` and `accept-edits` it makes a git repository where there is none.',
    'The tokens of a streamed answer are only its estimate (0.86.2), so answers are not streamed. Cached tokens are not reported.',
    'What it asks for besides, the messages of commits and summaries of a long history, is not in its counts.',
    'By itself it keeps one history for each directory, without an id. agent-mux gives each session its own, in ~/.aider/sessions, named after the run that began it; its words are resumed with --restore-chat-history.',
    'It exits 0 after a failed request, so the outcome rests on the words that it prints. It tries again for a minute, which it reports, and its client library twice before each of those, without a word.',
    'A prompt that begins with `/` or `!` would be a command of its own; agent-mux puts a blank line before it.',
    'At its first start of a day it downloads a list of models and prices from GitHub, for five seconds at most. Nothing switches that off.',
    'Nothing in its text says that the answer is whole: a run that hangs after it ends as timed_out after ten silent minutes (inactivityTimeout).',
    'It has no hooks. `--notifications-command` runs a command when it waits for input, once after each answer, and without a word about why.',
  ],
})
