import { describe, expect, test } from 'vitest'
import type { AgentAdapter } from '../contract/adapter.ts'
import { CapabilityError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'
import claude from './claude/index.ts'
import cline from './cline/index.ts'
import codex from './codex/index.ts'
import copilot from './copilot/index.ts'
import droid from './droid/index.ts'
import gemini from './gemini/index.ts'
import grok from './grok/index.ts'
import kilo from './kilo/index.ts'
import kimi from './kimi/index.ts'
import omp from './omp/index.ts'
import pi from './pi/index.ts'
import qwen from './qwen/index.ts'

const ENDPOINT = { baseUrl: 'http://x/v1', apiKey: 'k' }

const plan = (adapter: AgentAdapter, options: Partial<RunOptions> = {}) => {
  const planned = adapter.planLaunch?.({ agent: adapter.agent, prompt: '--help', cwd: '/w', ...options })
  if (!planned) throw new Error('it has no terminal')
  return planned
}

describe('the prompt is never taken for an option', () => {
  test.each<[AgentAdapter, string[]]>([
    [cline, ['--', '--help']],
    [droid, ['--', '--help']],
    [grok, ['--', '--help']],
    [omp, [' --help']],
  ])('%#', (adapter, promptArgs) => {
    expect(plan(adapter)).toMatchObject({ promptArgs, promptDelivery: 'argument' })
    expect(plan(adapter, { prompt: '' })).toMatchObject({ promptArgs: [], promptDelivery: 'none' })
  })

  test('kimi takes none when it starts', () => {
    expect(plan(kimi)).toMatchObject({ promptArgs: [], promptDelivery: 'typed', typedPrompt: '--help' })
    expect(plan(kimi, { prompt: '' }).typedPrompt).toBeUndefined()
    // On its command line it would take the level of autonomy back.
    expect(plan(droid, { approvalMode: 'accept-edits' })).toMatchObject({ args: ['--auto=low'], typedPrompt: '--help' })
  })
})

describe('what a screen cannot honour is refused', () => {
  test.each<[AgentAdapter, Partial<RunOptions>]>([
    [cline, { approvalMode: 'deny' }],
    [droid, { approvalMode: 'yolo' }],
    [droid, { approvalMode: 'deny' }],
    [droid, { model: 'glm-5.3' }],
    [droid, { endpoint: ENDPOINT, newSessionId: 'x' }],
    [droid, { systemPrompt: 'x', systemPromptMode: 'replace' }],
    [grok, { approvalMode: 'accept-edits' }],
    [grok, { mcpServers: [{ name: 'x', command: 'y' }] }],
    [kimi, { approvalMode: 'deny' }],
    [kimi, { forkSessionId: 'x' }],
    [omp, { maxTurns: 1 }],
  ])('%#: %j', (adapter, options) => {
    expect(() => plan(adapter, options)).toThrow(CapabilityError)
  })
})

test.each<[AgentAdapter, Partial<RunOptions>, string[]]>([
  [cline, { model: 'm', thinkingEffort: 'high' }, ['--tui', '--model', 'm', '--thinking', 'high']],
  [droid, { approvalMode: 'accept-edits', sessionId: 's' }, ['--auto=low', '--resume=s']],
  [droid, { forkSessionId: 's' }, ['--fork=s']],
  [grok, { approvalMode: 'yolo', sessionId: 's' }, ['--always-approve', '--resume=s']],
  [kimi, { approvalMode: 'yolo', sessionId: 's', model: 'm' }, ['--model=m', '--auto', '--session=s']],
])('%#: %j', (adapter, options, args) => {
  expect(plan(adapter, options).args).toEqual(args)
})

// What they show in a new home, before they take a prompt.
test.each<[AgentAdapter, string, string[]]>([
  [
    claude,
    'setup',
    [
      '  2 +  console.log("Hello, Claude!");',
      '  3  }',
      ' ╌╌╌╌',
      '  Syntax theme: Monokai Extended (ctrl+t to disable)',
    ],
  ],
  [claude, 'setup', ['    Learn more: https://code.claude.com/docs/en/security', ' Press Enter to continue…']],
  [cline, 'setup', ['   ╰────╯', '     ↑/↓ navigate, Enter to select, Ctrl+C to exit']],
  [codex, 'setup', ['  4. Use Amazon Bedrock', '     Connect using your AWS credentials', '  Press enter to continue']],
  [
    copilot,
    'setup',
    [
      'Please use /login to sign in to use Copilot',
      ' ~/project [⎇ master]',
      '────',
      '❯',
      '────',
      ' ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab',
    ],
  ],
  [droid, 'setup', ['Please login with your Factory account to continue.', '> Login', '  Exit']],
  [
    gemini,
    'setup',
    [
      '│   No authentication method selected.   │',
      '│                                        │',
      '│   (Use Enter to select)                │',
      '│                                        │',
      '│   Terms of Services and Privacy Notice for Gemini CLI │',
      '╰────╯',
    ],
  ],
  [
    grok,
    'setup',
    [
      '                Login with Grok              l',
      '                Quit                         q',
      '  ╭────╮',
      '  │ ❯ Type a message...  │',
      '  ╰────╯',
      '                Grok Build  1.0.41',
    ],
  ],
  [grok, 'idle', ['  ╭────╮', '  │ ❯    │', '  ╰────╯', '                Logged in with API key']],
  [
    kimi,
    'setup',
    [
      ' │  Model:     not set, run /login or /provider   │',
      ' ╰────╯',
      ' │ >  │',
      ' ╰────╯',
      ' ~/project',
      '   context: 0%',
    ],
  ],
  [pi, 'setup', ['────', '~/project (master)', '0.0%/0 (auto)                              unknown']],
  [
    qwen,
    'setup',
    [
      '  │ Connect a Provider                        │',
      '  │ › Alibaba ModelStudio                     │',
      '  │   Custom Provider                         │',
      '  │ Terms of Services and Privacy Notice:     │',
      '  └────┘',
    ],
  ],
])('the first screen of %# says %s', (adapter, expected, lines) => {
  const sign = adapter.readScreen?.(lines)
  expect(sign?.dialog ?? sign?.state).toBe(expected)
})

// The last lines of their real screens.
test.each<[AgentAdapter, string, string[]]>([
  [
    grok,
    'active',
    ['  │ ❯     │  ', '  ╰── scripted-model (low) ─╯  ', '  Shift+Tab:mode  │  Ctrl+c:cancel  │  Ctrl+x:shortcuts  '],
  ],
  [grok, 'idle', ['  │ ❯     │  ', '  ╰── scripted-model (low) ─╯  ', '  Shift+Tab:mode  │  Ctrl+x:shortcuts  ']],
  [
    grok,
    'permission',
    [
      "  ┃  1 (●) Yes, and don't ask again for anything (always-approve mode)  ",
      '  ┃  3 (○) Yes, proceed  ',
      '  ┃  4 (○) No, reject (type to add feedback)  ',
      '  ┃  5 (○) Never allow: touch made-by-tool.txt  ',
      '  ┃  ',
      '  1/5:select  │  Tab:next option  │  Ctrl+o:always-approve  │  Ctrl+c:cancel  │  Esc:  ',
    ],
  ],
  [
    droid,
    'active',
    [' ⡄ Streaming...  (Press ESC to stop)', '│ > Enter to steer · Ctrl+Enter to queue │', '[⏱ 2s] ? for help   IDE ◌'],
  ],
  [droid, 'idle', ['│ >    │', '╰──────╯', '[⏱ 4s] ? for help   IDE ◌']],
  [
    droid,
    'permission',
    [
      '│  No, cancel  │',
      '╰──────╯',
      '  ↑↓ navigate   Enter select   Esc cancel   Alt/Option+E to inspect approval details',
    ],
  ],
  [droid, 'menu', ['> 1. Trust this folder', '  2. Exit without trusting', 'Enter to confirm · Esc to exit']],
  [kilo, 'menu', ['  ┃  Tell Kilo what to do differently  ', '  ┃    enter confirm  esc cancel     ', '  ┃  ']],
  [
    kimi,
    'active',
    [
      '  ⠦ Working… · Tip: /goal for multi-step work',
      ' │ >  │',
      ' ╰────╯',
      ' kimi-k2 thinking  ~/project',
      '   context: 0% (0/256k)',
    ],
  ],
  [kimi, 'idle', [' │ >  │', ' ╰────╯', ' kimi-k2 thinking  ~/project  master', '   context: 1% (192/256k)']],
  [
    kimi,
    'permission',
    [
      '     3. Reject',
      '   ↑/↓ select · 1/2/3/4 choose · ↵ confirm',
      ' ──────',
      ' kimi-k2 thinking',
      '   context: 1% (1.1k/256k)',
    ],
  ],
  [
    cline,
    'active',
    [
      ' ⠹ 1 slow words',
      '   words 10',
      '────',
      '❯ Ask anything...',
      '────',
      ' m (0) $0.00   ○ Plan ● Act (Tab) ',
      ' project ',
      ' ⏵⏵ Auto-approve all enabled (Shift+Tab) ',
    ],
  ],
  [
    cline,
    'idle',
    [
      ' * 1 slow words',
      '❯ Ask anything...',
      '────',
      ' m (0) $0.00   ○ Plan ● Act (Tab) ',
      ' project ',
      ' ⏵⏵ Auto-approve all enabled (Shift+Tab) ',
    ],
  ],
  [omp, 'active', ['  ⎋ Working…  ', ' ⠙ 5s > ◒ claude-opus-4-8 > project ▶──12%──200K─', '╰─  ']],
  [omp, 'idle', [' Hello.', ' π > ◒ claude-opus-4-8 > project ▶─0.6%──200K─', '╰─  ']],
  [
    omp,
    'permission',
    ['╭─ Allow tool: bash ───╮', '│  ❯ Approve           │', '│    Deny              │', '╰──────────────────────╯'],
  ],
])('the screen of %# says %s', (adapter, expected, lines) => {
  const sign = adapter.readScreen?.(lines)
  expect(sign?.dialog ?? sign?.state).toBe(expected)
})

// What they show after a turn, above their input.
const CODEX_INPUT = ['› Ask Codex to do anything', '  GPT-6-Sol default Fast · /w', '  ? for shortcuts']
const GEMINI_INPUT = [
  '                                         ? for shortcuts',
  ...['─'.repeat(40), ' YOLO Ctrl+Y', '▄▄▄▄', ' *   Type your message or @path/to/file', '▀▀▀▀'],
  ...[' workspace (/directory)            sandbox', ' /w            no sandbox'],
]
const COPILOT_INPUT = [
  ...[' ● MCP Servers reloaded: 0 servers connected', ' ~/w [⎇ main]', '─'.repeat(40), '❯', '─'.repeat(40)],
  ' ← open sidebar · Interactive · Allow All · / commands · ? help · tab next tab',
]
const SPENT = 'Insufficient credits. Add more credits to your account.'

test.each<[AgentAdapter, string | undefined, string[]]>([
  [codex, 'Quota exceeded. Check your plan.', ['› do it', '■ Quota exceeded. Check', 'your plan.', ...CODEX_INPUT]],
  [codex, undefined, ['› do it', '■ Quota exceeded.', '› again', '• Done. It said:', '  ■ no', ...CODEX_INPUT]],
  [codex, 'interrupted at its screen', ['› do it', '■ Conversation interrupted - tell', 'the model', ...CODEX_INPUT]],
  [
    gemini,
    '{"error":{"code":401,"message":"Bad key"}}',
    [
      ...[' > do it', '▀▀▀▀', '✕ [API Error: {"error":{"code":401,"message":"Bad', '  key"}}]'],
      ...['ℹ This request failed. Press F12', '  details.', ...GEMINI_INPUT],
    ],
  ],
  [gemini, undefined, ['✕ [API Error: no]', ' > again', '▀▀▀▀', '✦ Done.', ...GEMINI_INPUT]],
  [gemini, 'interrupted at its screen', ['✦ Half', 'ℹ Request cancelled.', ...GEMINI_INPUT]],
  [copilot, `402 ${SPENT}`, [' ❯ do it', ` ✗ 402 ${SPENT}`, ...COPILOT_INPUT]],
  [copilot, undefined, [' ✗ 402', ' ❯ again', ' ● Done.', ...COPILOT_INPUT]],
])('%#: how the last turn ended', (adapter, detail, lines) => {
  const sign = adapter.readScreen?.(lines)
  expect(sign).toMatchObject({ state: 'idle' })
  expect(sign?.detail).toBe(detail)
  expect(sign?.ended).toBe(detail && (detail.startsWith('interrupted') ? 'interrupted' : 'failed'))
})
