import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal, refuseModes } from '../../core/terminal-options.ts'
import { launchPrompt } from '../kit/launch-prompt.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { endingOf, type ScreenRule } from '../kit/screen-rules.ts'
import { joinedFlag, joinedFlags } from '../kit/spawn-args.ts'
import { buildSpawnArgs } from './args.ts'

const APPROVAL_FLAGS: Partial<Record<ApprovalMode, string[]>> = { yolo: ['--auto'] }

/** Its screen takes no prompt on the command line, so that the first one is typed, too. */
function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('kimi', options, {
    mcpServers: 'Add them to its mcp.json, or use no terminal.',
    forkSessionId: 'Make the fork with `kimi fork` and resume it.',
  })
  refuseModes('kimi', options, 'accept-edits', 'deny')
  const { model, endpoint, sessionId, addDirs } = options
  const prompt = launchPrompt({ ...options, prompt: promptWithSystem(options) }, true)
  return {
    args: [
      ...(endpoint ? [] : joinedFlag('--model', model)),
      ...(APPROVAL_FLAGS[options.approvalMode ?? 'prompt'] ?? []),
      ...joinedFlags('--add-dir', addDirs),
      ...joinedFlag('--session', sessionId),
    ],
    promptArgs: [],
    env: buildSpawnArgs(options).env,
    files: [],
    promptDelivery: prompt.delivery,
    typedPrompt: prompt.typed,
    keys: { interrupt: ['\x1b'], submit: '\r', clear: '\x15', inputMark: '>', decide: { approve: ['1'], deny: ['3'] } },
    answers: [{ shows: /^ *Trust this folder\?/, press: ['\r'] }],
  }
}

// As 2.1 shows a failure, by its code; no hook of one launch reports it.
const ending = endingOf({
  below: /^ ╭─{20,}/,
  begins: /^ [✨●•✓✗] |^ {3}Error: \[/,
  failed: /^Error: \[[\w.]+\] (.+?)(?: If this persists, run .*)?$/,
})

// As 2.1 shows it.
const screen: ScreenRule[] = [
  {
    shows: /^ *↑\/↓ select · .*↵ confirm/,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  { shows: /^ *↑↓ navigate · Enter select/, within: 12, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  {
    shows: /^ │ +Model: +not set, run \/login/,
    within: 16,
    state: 'blocked',
    dialog: 'setup',
    detail: 'it asks to sign in: /login or /provider',
  },
  { shows: /^ +[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] \S.*…/, within: 8, state: 'active' },
  { shows: /^ +context: \d+% \(/, within: 1, state: 'idle', ending },
]

export const terminal = { plan, screen }
