import type { EndpointOverride } from '../contract/run-options.ts'
import type { Protocol } from '../scripted/index.ts'

/** What a run may give no sign of, so that no event can. */
export type Untold = 'usage' | 'cached tokens' | 'command output'

/** What the suite must know of an agent to put it on the scripted server. */
export interface Subject {
  protocol: Protocol
  /** The model of most checks; without one, the agent's default. */
  model?: string
  alternativeModel: string
  /** What the agent calls its shell; `Bash` without. */
  shellTool?: string
  /** Fewer retries than the agent makes by itself, so that a check of a failure ends soon. */
  env: Record<string, string>
  /** The same where the agent has settings for it only: contents of files below its scratch home. */
  files?: Record<string, object>
  /** For an agent whose own retries take longer than that of others. */
  timeoutMs?: number
  /** What the live or the one-shot form of the agent does not tell. */
  untold?: { live?: readonly Untold[]; oneShot?: readonly Untold[] }
  /** The variables of a user who has set the endpoint up himself, for a one-shot form that we cannot point elsewhere. */
  ownEndpoint?: (endpoint: EndpointOverride) => Record<string, string>
}

export const subjects: Readonly<Record<string, Subject>> = {
  claude: {
    protocol: 'anthropic',
    alternativeModel: 'claude-sonnet-5-5',
    // IS_SANDBOX: it refuses to skip permissions for root otherwise, and CI often is root.
    env: { CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '1' },
  },
  codex: {
    protocol: 'openai-responses',
    model: 'gpt-5.5-codex',
    alternativeModel: 'gpt-6.1-sol',
    env: {},
  },
  droid: {
    protocol: 'openai-chat',
    // With a model of OpenAI or Anthropic on this protocol the CLI adds a warning to the conversation.
    model: 'glm-5.3',
    alternativeModel: 'kimi-k3',
    shellTool: 'Execute',
    env: {},
  },
  gemini: {
    protocol: 'gemini',
    model: 'gemini-2.5-flash',
    alternativeModel: 'gemini-3.8-flash',
    shellTool: 'run_shell_command',
    env: {},
    untold: { live: ['cached tokens', 'command output'] },
    ownEndpoint: ({ baseUrl, apiKey }) => ({ GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_API_KEY: apiKey }),
    files: {
      '.gemini/settings.json': {
        general: { enableAutoUpdate: false, maxAttempts: 2 },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      },
    },
  },
  kilo: {
    protocol: 'openai-chat',
    model: 'scripted-model',
    alternativeModel: 'gpt-6-luna',
    shellTool: 'bash',
    env: { KILO_SESSION_RETRY_LIMIT: '2' },
  },
  opencode: {
    protocol: 'openai-chat',
    model: 'scripted-model',
    alternativeModel: 'gpt-6-luna',
    shellTool: 'bash',
    env: {},
  },
  omp: {
    protocol: 'openai-chat',
    model: 'claude-opus-4-8',
    alternativeModel: 'gpt-5.5',
    shellTool: 'bash',
    env: {},
    files: { '.omp/agent/config.yml': { retry: { maxRetries: 1, baseDelayMs: 100 } } },
  },
  pi: {
    protocol: 'openai-responses',
    model: 'claude-opus-4-8',
    alternativeModel: 'gpt-5.5',
    shellTool: 'bash',
    env: {},
    // Before 1.0 the client of the provider tries again by itself as well, and tells nobody.
    files: { '.pi/agent/settings.json': { retry: { maxRetries: 1, baseDelayMs: 500, provider: { maxRetries: 0 } } } },
  },
  qwen: {
    protocol: 'openai-chat',
    model: 'qwen3.7-max',
    alternativeModel: 'qwen3-coder-plus',
    env: {},
    // Seven tries of a request, whatever the settings say.
    timeoutMs: 150_000,
    files: {
      '.qwen/settings.json': {
        general: { enableAutoUpdate: false },
        // Its agents on the side would be played the scenario, too.
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
        model: { generationConfig: { maxRetries: 0 } },
      },
    },
  },
}
