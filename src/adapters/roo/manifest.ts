import { defineManifest, ONE_WAY, UP_TO_XHIGH } from '../kit/define-manifest.ts'
import { providerKeys } from '../kit/provider-keys.ts'

export const manifest = defineManifest({
  agent: 'roo',
  displayName: 'Roo Code',
  cliCommand: 'roo',
  verification: 'unverified',
  homepage: 'https://github.com/RooCodeInc/Roo-Code',
  capabilities: {
    ...ONE_WAY,
    // `--session-id` takes no prompt.
    canResume: false,
    supportsEphemeral: true,
    // Without a terminal it allows every call; `--require-approval` would ask where nobody answers.
    approvalModes: ['prompt', 'yolo'],
    supportsParallelToolCalls: false,
    thinkingEffortLevels: UP_TO_XHIGH,
    supportedPlatforms: ['darwin', 'linux'],
    installMethods: [
      {
        platform: 'all',
        type: 'curl',
        command: 'curl -fsSL https://raw.githubusercontent.com/RooCodeInc/Roo-Code/main/apps/cli/install.sh | sh',
        notes: 'The npm packages of this name are not from its makers.',
      },
    ],
    supportsBudget: false,
    unreported: ['session id', 'refusals', 'retries', 'usage'],
  },
  configSchema: {
    configFilePaths: ['~/.roo/cli-settings.json'],
    configFormat: 'json',
  },
  passEnv: ['GOOGLE_API_KEY', 'VERCEL_AI_GATEWAY_API_KEY', 'ROO_WEB_APP_URL'],
  auth: {
    providerName: 'Roo Code Cloud, or the provider of the model',
    envVars: [
      { name: 'ROO_API_KEY', method: 'api_key', description: 'For models of Roo Code Cloud.' },
      ...providerKeys('OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'),
    ],
    files: [{ path: '~/.config/roo/credentials.json', method: 'oauth', keys: ['token', 'clientToken'] }],
    loginCommand: 'roo auth login',
    documentationUrls: ['https://github.com/RooCodeInc/Roo-Code/tree/main/apps/cli'],
  },
  quirks: [
    'Written from the source of its command line (apps/cli, 0.0.49 to 0.1.15), which runs the extension of VS Code without an editor; the CLI was never run. Where its settings and its login are kept differs between those versions.',
    'A run allows every call of a tool, whatever the approvalMode says.',
    'Tokens and cost are those of the last request, so they are reported only for a run without tool calls, which has one.',
    'Calls that touch files are reported without their results; such a call is over when the next record comes.',
    'The provider is the one of its own settings, else Roo Code Cloud where it is signed in, else OpenRouter.',
    'Its own retries are switched off (--exit-on-error), because they never end and are not reported.',
  ],
})
