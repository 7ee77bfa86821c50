import { join } from 'node:path'
import { endpointConfig } from '../adapters/openclaw/endpoint.ts'
import type { EndpointOverride, RunOptions } from '../contract/run-options.ts'
import type { Protocol } from '../scripted/index.ts'
import { cacheDirectory } from '../toolchain/private-install.ts'

/** How far the real CLI of an agent goes whose models need an account. */
export interface Account {
  speaksAcp?: boolean
  /** Flags that work although the help does not tell them. */
  hiddenFlags?: readonly string[]
  /** What must stand before such a flag for the CLI to say whether it knows it. */
  probeArgs?: readonly string[]
}

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
  /**
   * Lets it start sooner, by a process less. Only where a run is looked at for
   * what it says: not where the agent is ended by force, on its screen or under the daemon.
   */
  soonerEnv?: Record<string, string>
  /** Fewer retries where the agent has settings for it only: contents of files below its scratch home. */
  files?: Record<string, object | string>
  /** The same of a user who has set models up, for an agent that tells no others. */
  modelFiles?: Record<string, object | string>
  /** The same for its own screen: what is there once somebody has started it. */
  screenFiles?: Record<string, object | string>
  /** What a person presses in its permission dialog to deny, one after another, where that is not Escape alone. */
  denyKeys?: readonly string[]
  /** For an agent whose own retries take longer than that of others. */
  timeoutMs?: number
  /** What its hooks do not say. */
  untoldByHooks?: readonly ('title' | 'summary')[]
  /** How a user starts it who has set the endpoint up in files, where the forms that we start run no hooks. */
  ownForm?: { files(endpoint: EndpointOverride): Record<string, object>; args: string[] }
  /** Its models cannot be played by the scripted server: other checks are made instead. */
  account?: Account
  /** The name that a session file of yesterday would have, for an agent that endangers those when it resumes them. */
  agedSession?: (name: string) => string
  /** A session goes on in a copy, which takes its place at the end: turns of a restored terminal are not seen. */
  resumesOnCopy?: boolean
  /** A call that was refused on its screen is taken out of the conversation: the model does not hear of it. */
  forgetsRefusedCalls?: boolean
  /** The variables of a user who has set the endpoint up himself, for a one-shot form that we cannot point elsewhere. */
  ownEndpoint?: (endpoint: EndpointOverride) => Record<string, string>
}

const KEYLESS: Partial<RunOptions> = { endpoint: undefined, model: 'anthropic/claude-sonnet-5' }

/** What the CLI would install into each new home otherwise, from npm and in the background. */
function installedPlugin(directory: string, name: string): Record<string, object | string> {
  return {
    [`${directory}/package-lock.json`]: { packages: { '': { dependencies: { [name]: '*' } } } },
    [`${directory}/node_modules/.keep`]: '',
  }
}

/**
 * The catalogue of models that the CLI keeps once it has fetched it, with one entry: to read the one that it brings along,
 * of all models there are, is almost half of its start.
 */
const SMALL_CATALOGUE = {
  anthropic: {
    id: 'anthropic',
    env: ['ANTHROPIC_API_KEY'],
    npm: '@ai-sdk/anthropic',
    name: 'Anthropic',
    models: {
      'claude-sonnet-5': {
        id: 'claude-sonnet-5',
        name: 'Claude Sonnet 5',
        attachment: true,
        reasoning: true,
        temperature: true,
        tool_call: true,
        release_date: '2026-01-01',
        last_updated: '2026-01-01',
        open_weights: false,
        cost: { input: 3, output: 15 },
        limit: { context: 200_000, output: 64_000 },
      },
    },
  },
}

/** The server is there, and is never asked. */
const NO_MODEL = { protocol: 'openai-chat', alternativeModel: '', env: {}, timeoutMs: 150_000 } as const

const OPENCODE: Subject = {
  protocol: 'openai-chat',
  model: 'scripted-model',
  alternativeModel: 'gpt-6-luna',
  shellTool: 'bash',
  keyless: KEYLESS,
  env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
  files: {
    ...installedPlugin('.config/opencode', '@opencode-ai/plugin'),
    '.cache/opencode/models.json': SMALL_CATALOGUE,
  },
  timeoutMs: 150_000,
}

export const subjects: Readonly<Record<string, Subject>> = {
  amp: { ...NO_MODEL, account: {} },
  auggie: { ...NO_MODEL, account: { speaksAcp: true } },
  claude: {
    protocol: 'anthropic',
    alternativeModel: 'claude-sonnet-5-5',
    // IS_SANDBOX: it refuses to skip permissions for root otherwise, and CI often is root.
    env: { CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '1' },
    screenFiles: {
      '.claude.json': { hasCompletedOnboarding: true, theme: 'dark' },
      // Its default lets a model decide what to ask for.
      '.claude/settings.json': { permissions: { ask: ['Bash'] } },
    },
  },
  cline: {
    untoldByHooks: ['title'],
    protocol: 'openai-chat',
    model: 'scripted-model',
    alternativeModel: 'mock-model',
    env: {},
    // An endpoint of one's own needs no key, so this is the provider of a user without one.
    keyless: { endpoint: undefined },
    files: {
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'anthropic',
        modes: {},
        providers: {
          anthropic: {
            settings: { provider: 'anthropic', model: 'claude-sonnet-5' },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    },
    timeoutMs: 180_000,
  },
  codex: {
    protocol: 'openai-responses',
    model: 'gpt-6-sol',
    alternativeModel: 'gpt-6.1-sol',
    env: {},
  },
  copilot: {
    untoldByHooks: ['summary'],
    protocol: 'openai-chat',
    model: 'claude-sonnet-4.6',
    alternativeModel: 'claude-opus-4.6',
    shellTool: 'bash',
    keyless: { endpoint: undefined, model: undefined },
    // Else it would unpack its 200 MB anew in each scratch home.
    env: { COPILOT_CACHE_HOME: join(cacheDirectory(process.env), 'copilot') },
  },
  continue: {
    protocol: 'openai-chat',
    model: 'scripted-model',
    alternativeModel: 'mock-model',
    env: {},
    keyless: { endpoint: undefined, model: undefined },
    // 33 tries at a rate limit take it almost three minutes.
    timeoutMs: 300_000,
  },
  droid: {
    untoldByHooks: ['summary'],
    protocol: 'openai-chat',
    // With a model of OpenAI or Anthropic on this protocol the CLI adds a warning to the conversation.
    model: 'glm-5.3',
    alternativeModel: 'kimi-k3',
    shellTool: 'Execute',
    env: {},
  },
  gemini: {
    resumesOnCopy: true,
    forgetsRefusedCalls: true,
    protocol: 'gemini',
    model: 'gemini-2.5-flash',
    alternativeModel: 'gemini-3.8-flash',
    shellTool: 'run_shell_command',
    env: {},
    // It starts itself anew with more memory: a third of all it does in a short run.
    soonerEnv: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    agedSession: (name) => name.replace(/^session-\d{4}-\d\d-\d\dT/, 'session-2026-01-01T'),
    ownEndpoint: ({ baseUrl, apiKey }) => ({ GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_API_KEY: apiKey }),
    files: {
      '.gemini/settings.json': {
        general: { enableAutoUpdate: false, maxAttempts: 2 },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      },
    },
  },
  grok: {
    protocol: 'openai-chat',
    model: 'scripted-model',
    alternativeModel: 'mock-model',
    env: { GROK_TURN_TRANSIENT_RETRY: '0', GROK_MAX_RETRIES: '2' },
    // Its screen lets a model decide what to ask for.
    screenFiles: { '.grok/config.toml': '[permission]\nask = ["Bash"]\n' },
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
    files: { ...installedPlugin('.config/kilo', '@kilocode/plugin'), '.cache/kilo/models.json': SMALL_CATALOGUE },
    denyKeys: ['\x1b', '\r'],
    // On a busy machine the first one takes so long that its screen asks whether to go without.
    screenFiles: { '.config/kilo/kilo.jsonc': { snapshot: false } },
    timeoutMs: 150_000,
  },
  kimi: {
    untoldByHooks: ['summary'],
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
  },
  letta: {
    ...NO_MODEL,
    account: {
      hiddenFlags: ['--permission-mode', '--conversation', '--max-turns', '--allowedTools', '--disallowedTools'],
      probeArgs: ['--prompt', 'hi'],
    },
  },
  omp: {
    protocol: 'openai-chat',
    model: 'claude-opus-4-8',
    alternativeModel: 'gpt-5.5',
    shellTool: 'bash',
    env: {},
    // Six requests for each try of its own.
    timeoutMs: 150_000,
    // Without `async` a sub-agent answers in the call that started it; else its answer would begin the script again.
    files: {
      '.omp/agent/config.yml': {
        retry: { maxRetries: 1, baseDelayMs: 100 },
        async: { enabled: false },
        startup: { checkUpdate: false },
      },
    },
  },
  opencode: OPENCODE,
  'opencode-http': OPENCODE,
  openclaw: {
    protocol: 'openai-chat',
    model: 'gpt-5.5',
    alternativeModel: 'claude-opus-4-8',
    shellTool: 'exec',
    // A server on this machine may do without a key, it thinks.
    keyless: { ...KEYLESS, env: { OPENCLAW_DISABLE_BUNDLED_PLUGINS: '0' } },
    // A quarter of its start. Only the providers of other models are among them; the form of a user, below, loads them all.
    // The rest is mostly compiling, which need not be done anew each time.
    env: {
      OPENCLAW_DISABLE_BUNDLED_PLUGINS: '1',
      NODE_COMPILE_CACHE: join(cacheDirectory(process.env), 'compiled'),
    },
    ownForm: {
      files: (endpoint) => ({ '.openclaw/openclaw.json': endpointConfig(endpoint, 'gpt-5.5') }),
      args: ['agent', '--local', '--json', '--agent=main', '--message=Please do what the script says.'],
    },
    // It starts slowly, and slower still beside other agents.
    timeoutMs: 300_000,
    // A retry tells the prompt in other words, which is another conversation to the server: one is not enough to recover.
    files: { 'project/.openclaw/settings.json': { retry: { provider: { maxRetries: 2 } } } },
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
  qoder: { ...NO_MODEL, account: { speaksAcp: true, hiddenFlags: ['--acp'] } },
  qwen: {
    protocol: 'openai-chat',
    model: 'qwen3.7-max',
    alternativeModel: 'qwen3-coder-plus',
    env: {},
    soonerEnv: { QWEN_CODE_NO_RELAUNCH: 'true' },
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
    modelFiles: {
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        modelProviders: { openai: [{ id: 'qwen3-coder-plus', name: 'Coder', envKey: 'OPENAI_API_KEY' }] },
      },
    },
  },
}
