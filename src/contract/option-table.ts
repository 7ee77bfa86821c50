import type { OptionTable } from './option-row.ts'

const ANYWHERE = ['daemon', 'profile', 'remote'] as const
const SETTING = ['daemon', 'profile', 'remote', 'settings'] as const

const HEADLESS_ONLY = 'A terminal cannot do this; start the session without one.'
const NOBODY_COUNTS = 'A terminal has no such limit: `amux kill` ends it, and `amux interrupt` its turn.'

const text = (value: string, about: string) => ({ type: 'string', value, about }) as const
const texts = (value: string, about: string) => ({ type: 'string', multiple: true, value, about }) as const
const toggle = (about: string) => ({ type: 'boolean', about }) as const

/**
 * All run options, one row each, in the order of the help. Validation, flags, the daemon's API, profiles, settings, what
 * goes to a remote agent-mux, what is secret and what a project may set are all derived from here.
 * A new option is a field of `RunOptions` and a row here.
 */
export const OPTIONS = {
  agent: {
    kind: 'text',
    flags: { agent: { ...text('NAME', 'The agent (also AGENT_MUX_DEFAULT_AGENT)'), short: 'a' } },
    at: ['profile'],
    project: 'free',
  },
  prompt: { kind: 'prompt', at: ['remote'], project: 'widens' },
  model: { kind: 'word', flags: { model: { ...text('ID', 'The model'), short: 'm' } }, at: ANYWHERE, project: 'free' },
  debug: {
    kind: 'boolean',
    flags: { debug: toggle('Stack traces, raw records, all log events') },
    at: ['profile', 'remote', 'settings'],
    project: 'free',
  },
  outputFormat: {
    kind: 'choice',
    choices: ['text', 'json', 'jsonl'],
    flags: {
      'output-format': {
        ...text('FORMAT', 'text, json (the result only) or jsonl (same as --json)'),
        choices: ['text', 'json', 'jsonl'],
      },
    },
    at: ['profile', 'remote'],
    project: 'free',
  },
  outputSchema: {
    kind: 'schema',
    flags: { 'output-schema': text('FILE|JSON', 'JSON schema that the answer must fit') },
    at: ['profile', 'remote'],
    project: 'free',
    terminal: HEADLESS_ONLY,
  },
  profile: {
    kind: 'profileName',
    flags: { profile: text('NAME', 'Options from a profile; flags win over it') },
    at: ['daemon'],
    project: 'widens',
  },

  approvalMode: {
    kind: 'choice',
    choices: ['deny', 'prompt', 'accept-edits', 'yolo'],
    flags: {
      yolo: { ...toggle('Allow every tool'), group: 'Permissions', sets: 'yolo' },
      'accept-edits': {
        ...toggle('Allow file edits, ask for the rest'),
        group: 'Permissions',
        sets: 'accept-edits',
      },
      deny: {
        ...toggle('Read only: deny every tool that changes something'),
        group: 'Permissions',
        sets: 'deny',
      },
    },
    at: SETTING,
    project: 'narrows',
  },
  allowedTools: {
    kind: 'strings',
    flags: { 'allow-tool': { ...texts('NAME', 'Allow this tool'), group: 'Permissions' } },
    at: ANYWHERE,
    project: 'widens',
  },
  disallowedTools: {
    kind: 'strings',
    flags: { 'disallow-tool': { ...texts('NAME', 'Forbid this tool'), group: 'Permissions' } },
    at: ANYWHERE,
    project: 'narrows',
  },
  policy: {
    kind: 'policy',
    flags: { policy: { ...text('FILE', 'Rules that answer what it asks for (JSON or YAML)'), group: 'Permissions' } },
    at: SETTING,
    project: 'narrows',
    about: 'Rules that answer what the agent asks for, or the absolute path of their file',
    terminal: 'In a terminal the agent asks on its own screen; start the session without one.',
  },
  nonInteractive: {
    kind: 'boolean',
    flags: { 'non-interactive': { ...toggle("The agent's one-shot form: it cannot ask"), group: 'Permissions' } },
    at: ['profile', 'remote'],
    project: 'widens',
  },

  sessionId: {
    kind: 'word',
    flags: { session: { ...text('ID', 'Go on with this session'), group: 'Session' } },
    at: ['daemon', 'remote'],
    project: 'widens',
    about: "Go on with this session of the agent's own",
  },
  forkSessionId: {
    kind: 'word',
    flags: { fork: { ...text('ID', 'Go on from a copy of this session'), group: 'Session' } },
    at: ['daemon', 'remote'],
    project: 'widens',
  },
  noSession: {
    kind: 'boolean',
    flags: { 'no-session': { ...toggle('Leave no session behind'), group: 'Session' } },
    at: ['remote'],
    project: 'widens',
    terminal: HEADLESS_ONLY,
  },
  newSessionId: {
    kind: 'word',
    flags: { 'session-id': { ...text('ID', 'The id that a new session gets'), group: 'Session' } },
    at: ['remote'],
    project: 'widens',
  },

  thinkingEffort: {
    kind: 'choice',
    choices: ['low', 'medium', 'high', 'xhigh', 'max'],
    flags: {
      'thinking-effort': {
        ...text('LEVEL', 'low, medium, high, xhigh or max'),
        group: 'Model',
        choices: ['low', 'medium', 'high', 'xhigh', 'max'],
      },
    },
    at: ANYWHERE,
    project: 'free',
  },
  thinkingBudgetTokens: {
    kind: 'integer',
    min: 1024,
    flags: { 'thinking-budget': { ...text('TOKENS', 'Thinking tokens, where the agent can'), group: 'Model' } },
    at: ANYWHERE,
    project: 'free',
  },
  thinkingOverride: {
    kind: 'record',
    flags: { 'thinking-override': { ...text('JSON', "The agent's own thinking settings"), group: 'Model' } },
    at: ANYWHERE,
    project: 'widens',
  },
  temperature: {
    kind: 'number',
    min: 0,
    max: 2,
    flags: { temperature: { ...text('N', '0 to 2, where the agent can'), group: 'Model' } },
    at: ANYWHERE,
    project: 'free',
  },
  topP: {
    kind: 'number',
    min: 0,
    max: 1,
    flags: { 'top-p': { ...text('N', '0 to 1, where the agent can'), group: 'Model' } },
    at: ANYWHERE,
    project: 'free',
  },
  topK: {
    kind: 'integer',
    min: 1,
    flags: { 'top-k': { ...text('N', 'Where the agent can'), group: 'Model' } },
    at: ANYWHERE,
    project: 'free',
  },
  maxTokens: {
    kind: 'integer',
    min: 1,
    flags: { 'max-tokens': { ...text('N', 'Tokens of one answer'), group: 'Model' } },
    at: ANYWHERE,
    project: 'free',
  },
  maxOutputTokens: {
    kind: 'integer',
    min: 1,
    flags: { 'max-output-tokens': { ...text('N', 'The same; wins over --max-tokens'), group: 'Model' } },
    at: ANYWHERE,
    project: 'free',
  },
  lenient: {
    kind: 'boolean',
    flags: { lenient: { ...toggle('Go on without model settings that the agent lacks'), group: 'Model' } },
    at: SETTING,
    project: 'free',
  },
  stream: {
    kind: 'choice',
    choices: [true, false, 'auto'],
    flags: {
      stream: { ...toggle('Insist on streamed text'), group: 'Model', sets: true },
      'no-stream': { ...toggle('Text of a message in one piece'), group: 'Model', sets: false },
    },
    at: ['profile', 'remote', 'settings'],
    project: 'free',
    terminal: 'A terminal shows what comes as it comes.',
  },
  systemPrompt: {
    kind: 'string',
    flags: { system: { ...text('TEXT', 'System prompt'), group: 'Model' } },
    at: ANYWHERE,
    project: 'widens',
  },
  systemPromptMode: {
    kind: 'choice',
    choices: ['prepend', 'append', 'replace'],
    flags: {
      'system-mode': {
        ...text('MODE', 'append (default), replace or prepend'),
        group: 'Model',
        choices: ['append', 'replace', 'prepend'],
      },
    },
    at: ANYWHERE,
    project: 'widens',
  },
  endpoint: {
    kind: 'endpoint',
    flags: {
      endpoint: { ...text('URL', 'Send model traffic here'), group: 'Model' },
      'endpoint-key-env': { ...text('NAME', "Variable with the endpoint's key"), group: 'Model' },
    },
    at: ANYWHERE,
    project: 'widens',
    secret: true,
  },

  timeout: {
    kind: 'duration',
    flags: { timeout: { ...text('TIME', 'End the run after 30s, 5m, 1h…'), group: 'Limits' } },
    at: SETTING,
    project: 'narrows',
    terminal: NOBODY_COUNTS,
  },
  firstEventTimeout: {
    kind: 'duration',
    flags: {
      'first-event-timeout': { ...text('TIME', 'End it when it says nothing at first (0: wait)'), group: 'Limits' },
    },
    at: SETTING,
    project: 'narrows',
    terminal: NOBODY_COUNTS,
  },
  retryMaxWaitMs: {
    kind: 'duration',
    flags: {
      'retry-max-wait': { ...text('TIME', 'Longest wait for a retry at a limit (10m; 0: any)'), group: 'Limits' },
    },
    at: SETTING,
    project: 'narrows',
    terminal: NOBODY_COUNTS,
  },
  limitGraceMs: {
    kind: 'duration',
    flags: {
      'limit-grace': { ...text('TIME', 'Let it retry at a rate limit this long (30s; 0: wait)'), group: 'Limits' },
    },
    at: SETTING,
    project: 'narrows',
    terminal: NOBODY_COUNTS,
  },
  outageGraceMs: {
    kind: 'duration',
    flags: {
      'outage-grace': { ...text('TIME', 'Let it retry at a server error this long (2m; 0: wait)'), group: 'Limits' },
    },
    at: SETTING,
    project: 'narrows',
    terminal: NOBODY_COUNTS,
  },
  exitGraceMs: {
    kind: 'duration',
    flags: {
      'exit-grace': { ...text('TIME', 'Let it stay after its result this long (10s; 0: wait)'), group: 'Limits' },
    },
    at: SETTING,
    project: 'narrows',
    terminal: NOBODY_COUNTS,
  },
  inactivityTimeout: {
    kind: 'duration',
    flags: { 'inactivity-timeout': { ...text('TIME', 'End it after this long a silence'), group: 'Limits' } },
    at: SETTING,
    project: 'narrows',
    terminal: NOBODY_COUNTS,
  },
  maxTurns: {
    kind: 'integer',
    min: 1,
    flags: { 'max-turns': { ...text('N', 'Requests to the model for one prompt'), group: 'Limits' } },
    at: ANYWHERE,
    project: 'narrows',
    terminal: HEADLESS_ONLY,
  },
  maxCostUsd: {
    kind: 'number',
    min: 0,
    max: Number.MAX_VALUE,
    flags: { 'max-cost': { ...text('USD', 'End the run when it has cost more'), group: 'Limits' } },
    at: ANYWHERE,
    project: 'narrows',
    about: 'Of the whole session, over all its launches',
  },
  price: {
    kind: 'price',
    flags: {
      price: {
        ...text(
          'in=USD,out=USD',
          'Price of a million tokens, for a model without a list price; also cache-read=, cache-write=',
        ),
        group: 'Limits',
      },
    },
    at: ANYWHERE,
    // A price that is too low would let a run spend more than the user's budget.
    project: 'widens',
    about: 'Dollars per million tokens, for requests whose cost the agent does not report',
  },
  retryPolicy: {
    kind: 'retryPolicy',
    flags: { retries: { ...text('N', 'Try again after transient failures'), group: 'Limits' } },
    // Not to a remote: both sides would retry.
    at: ['daemon', 'profile', 'settings'],
    project: 'widens',
    terminal: 'In a terminal the agent itself tries again.',
  },

  cwd: {
    kind: 'directory',
    flags: { cwd: { ...text('DIR', 'Where the agent works'), group: 'Context' } },
    at: [],
    project: 'widens',
  },
  addDirs: {
    kind: 'paths',
    flags: { 'add-dir': { ...texts('DIR', 'Another directory it may use'), group: 'Context' } },
    at: ANYWHERE,
    project: 'widens',
  },
  attachments: {
    kind: 'attachments',
    flags: { attach: { ...texts('FILE|URL', 'File or image to look at'), group: 'Context' } },
    at: ['daemon', 'remote'],
    project: 'widens',
    terminal: 'Name the files in the prompt.',
  },
  mcpServers: {
    kind: 'mcpServers',
    flags: { 'mcp-server': { ...texts('SPEC', 'NAME=COMMAND ARGS, NAME=URL or a JSON object'), group: 'Context' } },
    at: ANYWHERE,
    project: 'widens',
    secret: true,
  },
  skills: {
    kind: 'strings',
    flags: { skill: { ...texts('NAME', 'Skill to load'), group: 'Context' } },
    at: ANYWHERE,
    project: 'widens',
  },
  agentsDoc: {
    kind: 'document',
    flags: { 'agents-doc': { ...text('FILE', 'Instructions in the form of AGENTS.md'), group: 'Context' } },
    at: ['daemon', 'remote'],
    project: 'widens',
  },
  env: {
    kind: 'variables',
    flags: { env: { ...texts('K=V', 'Variable for the agent'), group: 'Context' } },
    at: ['daemon', 'remote'],
    project: 'widens',
    secret: true,
  },
  passEnv: {
    kind: 'strings',
    flags: { 'pass-env': { ...texts('NAME', 'Variable to hand on'), group: 'Context' } },
    at: ANYWHERE,
    project: 'widens',
  },

  tags: {
    kind: 'strings',
    flags: { tag: { ...texts('TEXT', 'Tag in the run index'), group: 'Bookkeeping' } },
    at: ANYWHERE,
    project: 'free',
  },
  runId: {
    kind: 'ulid',
    flags: { 'run-id': { ...text('ULID', 'Id of the run'), group: 'Bookkeeping' } },
    at: [],
    project: 'widens',
  },
  projectId: {
    kind: 'text',
    flags: { 'project-id': { ...text('ID', 'Project that the run counts for'), group: 'Bookkeeping' } },
    at: ['daemon', 'remote'],
    project: 'free',
  },
  continuedFrom: { kind: 'text', at: ['remote'], project: 'widens' },

  // Without a flag.
  keepOpen: {
    kind: 'boolean',
    at: ANYWHERE,
    project: 'widens',
    about: 'Stay for more turns; the default wherever the agent can',
  },
  // A remote gets less of it: it has to be done with its agent before we lose patience with it.
  gracePeriodMs: { kind: 'integer', min: 0, at: ['daemon', 'profile'], project: 'narrows' },
  eventBufferSize: { kind: 'integer', min: 100, max: 100_000, at: ['profile', 'settings'], project: 'free' },
  collectEvents: { kind: 'boolean', at: ['profile'], project: 'free' },
  invocation: { kind: 'invocation', at: ['profile'], project: 'widens' },
  onInputRequired: { kind: 'callback', at: [], project: 'widens' },
  onApprovalRequest: { kind: 'callback', at: [], project: 'widens' },
  signal: { kind: 'signal', at: [], project: 'widens' },
} as const satisfies OptionTable
