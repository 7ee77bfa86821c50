import type { EndpointOverride, RunOptions } from '../contract/run-options.ts'
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
  /** How a request tells that the effort is high, where it does not say the word. */
  highEffort?: string
  /** For an agent that needs no key on an endpoint of its own: the options of a run that lacks credentials. */
  keyless?: Partial<RunOptions>
  /** Fewer retries than the agent makes by itself, so that a check of a failure ends soon. */
  env: Record<string, string>
  /** The same where the agent has settings for it only: contents of files below its scratch home. */
  files?: Record<string, object | string>
  /** For an agent whose own retries take longer than that of others. */
  timeoutMs?: number
  /** What the live or the one-shot form of the agent does not tell. */
  untold?: { live?: readonly Untold[]; oneShot?: readonly Untold[] }
  /** The variables of a user who has set the endpoint up himself, for a one-shot form that we cannot point elsewhere. */
  ownEndpoint?: (endpoint: EndpointOverride) => Record<string, string>
}

const KEYLESS: Partial<RunOptions> = { endpoint: undefined, model: 'anthropic/claude-sonnet-5' }

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
  copilot: {
    protocol: 'openai-chat',
    model: 'gpt-5.4',
    alternativeModel: 'gpt-5.4-mini',
    shellTool: 'bash',
    env: {},
    untold: { oneShot: ['usage'] },
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
    keyless: KEYLESS,
    env: {
      KILO_SESSION_RETRY_LIMIT: '2',
      KILO_DISABLE_MODELS_FETCH: '1',
      KILO_DISABLE_PRESENCE: '1',
      KILO_DISABLE_SESSION_INGEST: '1',
      KILO_TELEMETRY_LEVEL: 'off',
    },
    timeoutMs: 150_000,
  },
  kimi: {
    protocol: 'openai-chat',
    model: 'kimi-k2-scripted',
    alternativeModel: 'kimi-alternative',
    env: { KIMI_LOOP_MAX_ATTEMPTS_PER_STEP: '2', KIMI_DISABLE_TELEMETRY: '1' },
    // Another model on the endpoint of the run, so that there is one to change to.
    files: {
      '.kimi-code/config.toml': [
        '[models.kimi-alternative]',
        'provider = "__kimi_env__"',
        'model = "kimi-alternative"',
        'max_context_size = 200000',
        '',
      ].join('\n'),
    },
    untold: { live: ['usage'], oneShot: ['usage'] },
  },
  omp: {
    protocol: 'openai-chat',
    model: 'claude-opus-4-8',
    alternativeModel: 'gpt-5.5',
    shellTool: 'bash',
    env: {},
    files: { '.omp/agent/config.yml': { retry: { maxRetries: 1, baseDelayMs: 100 } } },
  },
  opencode: {
    protocol: 'openai-chat',
    model: 'scripted-model',
    alternativeModel: 'gpt-6-luna',
    shellTool: 'bash',
    keyless: KEYLESS,
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
    timeoutMs: 150_000,
  },
  pi: {
    protocol: 'anthropic',
    model: 'claude-opus-4-8',
    alternativeModel: 'gpt-5.5',
    shellTool: 'bash',
    highEffort: '"budget_tokens":16384',
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
