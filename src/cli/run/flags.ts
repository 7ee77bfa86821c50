import type { CommandInput, FlagTable } from '../command.ts'

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export const SYSTEM_MODES = ['append', 'replace', 'prepend'] as const
export const OUTPUT_FORMATS = ['text', 'json', 'jsonl'] as const

/** Every flag of `amux run`. `run-options.ts` says what each one does. */
export const RUN_FLAGS = {
  prompt: { type: 'string', short: 'p', value: 'TEXT', about: 'The prompt, in place of words; "-" reads stdin' },
  interactive: { type: 'boolean', short: 'i', about: 'Stay open: more prompts, /commands, approvals' },
  quiet: { type: 'boolean', short: 'q', about: 'Print the answer and nothing else' },
  stdio: { type: 'boolean', about: 'For programs: options, then commands, as JSON lines on stdin' },
  'output-format': {
    type: 'string',
    value: 'FORMAT',
    about: 'text, json (the result only) or jsonl (same as --json)',
    choices: OUTPUT_FORMATS,
  },
  'output-schema': { type: 'string', value: 'FILE|JSON', about: 'JSON schema that the answer must fit' },
  profile: { type: 'string', value: 'NAME', about: 'Options from a profile; flags win over it' },

  yolo: { type: 'boolean', group: 'Permissions', about: 'Allow every tool' },
  'accept-edits': { type: 'boolean', group: 'Permissions', about: 'Allow file edits, ask for the rest' },
  deny: { type: 'boolean', group: 'Permissions', about: 'Read only: deny every tool that changes something' },
  'allow-tool': { type: 'string', multiple: true, group: 'Permissions', value: 'NAME', about: 'Allow this tool' },
  'disallow-tool': { type: 'string', multiple: true, group: 'Permissions', value: 'NAME', about: 'Forbid this tool' },
  'non-interactive': { type: 'boolean', group: 'Permissions', about: "The agent's one-shot form: it cannot ask" },

  session: { type: 'string', group: 'Session', value: 'ID', about: 'Go on with this session' },
  fork: { type: 'string', group: 'Session', value: 'ID', about: 'Go on from a copy of this session' },
  'no-session': { type: 'boolean', group: 'Session', about: 'Leave no session behind' },
  'session-id': { type: 'string', group: 'Session', value: 'ID', about: 'The id that a new session gets' },

  'thinking-effort': {
    type: 'string',
    group: 'Model',
    value: 'LEVEL',
    about: 'low, medium, high, xhigh or max',
    choices: EFFORTS,
  },
  'thinking-budget': { type: 'string', group: 'Model', value: 'TOKENS', about: 'Thinking tokens, where the agent can' },
  'thinking-override': { type: 'string', group: 'Model', value: 'JSON', about: "The agent's own thinking settings" },
  temperature: { type: 'string', group: 'Model', value: 'N', about: '0 to 2, where the agent can' },
  'top-p': { type: 'string', group: 'Model', value: 'N', about: '0 to 1, where the agent can' },
  'top-k': { type: 'string', group: 'Model', value: 'N', about: 'Where the agent can' },
  'max-tokens': { type: 'string', group: 'Model', value: 'N', about: 'Tokens of one answer' },
  'max-output-tokens': { type: 'string', group: 'Model', value: 'N', about: 'The same; wins over --max-tokens' },
  stream: { type: 'boolean', group: 'Model', about: 'Insist on streamed text' },
  'no-stream': { type: 'boolean', group: 'Model', about: 'Text of a message in one piece' },
  system: { type: 'string', group: 'Model', value: 'TEXT', about: 'System prompt' },
  'system-mode': {
    type: 'string',
    group: 'Model',
    value: 'MODE',
    about: 'append (default), replace or prepend',
    choices: SYSTEM_MODES,
  },
  endpoint: { type: 'string', group: 'Model', value: 'URL', about: 'Send model traffic here' },
  'endpoint-key-env': { type: 'string', group: 'Model', value: 'NAME', about: "Variable with the endpoint's key" },

  timeout: { type: 'string', group: 'Limits', value: 'TIME', about: 'End the run after 30s, 5m, 1h…' },
  'first-event-timeout': {
    type: 'string',
    group: 'Limits',
    value: 'TIME',
    about: 'End it when it says nothing at first (0: wait)',
  },
  'inactivity-timeout': { type: 'string', group: 'Limits', value: 'TIME', about: 'End it after this long a silence' },
  'max-turns': { type: 'string', group: 'Limits', value: 'N', about: 'Turns of the agent' },
  'max-cost': { type: 'string', group: 'Limits', value: 'USD', about: 'End the run when it has cost more' },
  retries: { type: 'string', group: 'Limits', value: 'N', about: 'Try again after transient failures' },

  cwd: { type: 'string', group: 'Context', value: 'DIR', about: 'Where the agent works' },
  'add-dir': { type: 'string', multiple: true, group: 'Context', value: 'DIR', about: 'Another directory it may use' },
  attach: { type: 'string', multiple: true, group: 'Context', value: 'FILE|URL', about: 'File or image to look at' },
  'mcp-server': {
    type: 'string',
    multiple: true,
    group: 'Context',
    value: 'SPEC',
    about: 'NAME=COMMAND ARGS, NAME=URL or a JSON object',
  },
  skill: { type: 'string', multiple: true, group: 'Context', value: 'NAME', about: 'Skill to load' },
  'agents-doc': { type: 'string', group: 'Context', value: 'FILE', about: 'Instructions in the form of AGENTS.md' },
  env: { type: 'string', multiple: true, group: 'Context', value: 'K=V', about: 'Variable for the agent' },
  'pass-env': { type: 'string', multiple: true, group: 'Context', value: 'NAME', about: 'Variable to hand on' },

  tag: { type: 'string', multiple: true, group: 'Bookkeeping', value: 'TEXT', about: 'Tag in the run index' },
  'run-id': { type: 'string', group: 'Bookkeeping', value: 'ULID', about: 'Id of the run' },
  'project-id': { type: 'string', group: 'Bookkeeping', value: 'ID', about: 'Project that the run counts for' },
} as const satisfies FlagTable

export type RunValues = CommandInput<typeof RUN_FLAGS>['flags']
