import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal, refuseModes } from '../../core/terminal-options.ts'
import { refuseOptions } from '../../core/unsupported.ts'
import { continuesSession } from '../kit/continues-session.ts'
import { afterDashes, launchPrompt } from '../kit/launch-prompt.ts'
import { endingOf, type ScreenRule } from '../kit/screen-rules.ts'
import { endpointOverride, systemPromptFlags } from './args.ts'

const ON_ITS_SCREEN = 'Choose it on the screen, or in the settings of droid.'
const HEADLESS_ONLY = 'Its screen takes none; use no terminal.'

/** Its lowest level of autonomy allows edits, and commands that only read. */
const APPROVAL_FLAGS: Partial<Record<ApprovalMode, string[]>> = { 'accept-edits': ['--auto=low'] }

function sessionFlags({ sessionId, forkSessionId }: RunOptions): string[] {
  if (forkSessionId !== undefined) return [`--fork=${forkSessionId}`]
  return sessionId === undefined ? [] : [`--resume=${sessionId}`]
}

/** A model of its own is chosen by settings, and those that we bring along are those of an endpoint. */
function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('droid', options, {
    mcpServers: 'Add them with `droid mcp add`, or use no terminal.',
    newSessionId: HEADLESS_ONLY,
    allowedTools: HEADLESS_ONLY,
    disallowedTools: HEADLESS_ONLY,
  })
  if (!options.endpoint) refuseOptions('droid', options, { model: ON_ITS_SCREEN, thinkingEffort: ON_ITS_SCREEN })
  if (options.systemPromptMode === 'replace') refuseOptions('droid', options, { systemPrompt: 'Use append.' })
  refuseModes('droid', options, 'yolo', 'deny')
  const level = APPROVAL_FLAGS[options.approvalMode ?? 'prompt'] ?? []
  // Beside `--resume` the prompt is not sent, and one on the command line takes `--auto` back (0.225).
  const prompt = launchPrompt(options, continuesSession(options) || level.length > 0)
  const endpoint = options.endpoint && endpointOverride(options.endpoint, options)
  const files: RunFile[] = [...prompt.files, ...(endpoint?.files ?? [])]
  return {
    args: [...(endpoint?.args ?? []), ...level, ...systemPromptFlags(options, files), ...sessionFlags(options)],
    promptArgs: afterDashes(prompt.args),
    env: endpoint?.env ?? {},
    files,
    promptDelivery: prompt.delivery,
    typedPrompt: prompt.typed,
    keys: { interrupt: ['\x1b'], submit: '\r', clear: '\x15', inputMark: '>' },
    answers: [{ shows: /^│ Trust this folder\?/, press: ['\r'] }],
  }
}

// As 0.225 shows a failure: no hook reports it.
const ending = endingOf({
  below: /^╭─{20,}/,
  begins: /^[●⛬]/,
  failed: /^● +(?:BYOK )?Error: (.+?)(?: Upstream error: .*| If this persists, .*| Please check .*| Auto \(.*)?$/,
})

// As 0.225 shows it.
const screen: ScreenRule[] = [
  {
    shows: /^ *↑↓ navigate +Enter select +Esc cancel/,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  { shows: /^ *(↑↓|Enter to confirm) .*Esc/, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /^Please login with your Factory/, state: 'blocked', dialog: 'setup', detail: 'it asks to sign in' },
  { shows: /\(Press ESC to stop\)/, within: 10, state: 'active' },
  { shows: /\? for help/, within: 2, state: 'idle', ending },
]

export const terminal = { plan, screen }
