import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan, StartAnswer } from '../../contract/terminal.ts'
import { refuseInTerminal, refuseModes } from '../../core/terminal-options.ts'
import { afterDashes, launchPrompt } from '../kit/launch-prompt.ts'
import { endingOf, type ScreenRule } from '../kit/screen-rules.ts'
import { optionArgs } from './args.ts'

/** An offer that lies over the screen of a new user. Only Enter would take it. */
const OFFER: StartAnswer = { shows: /Press Enter to open, any other key to close/, press: ['\x1b'] }

/** On its screen it asks where it may not decide, so that nothing would be denied. */
function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('cline', options)
  refuseModes('cline', options, 'deny')
  const prompt = launchPrompt(options)
  const files: RunFile[] = [...prompt.files]
  const { args, env } = optionArgs(options, files)
  return {
    args: ['--tui', ...args],
    promptArgs: afterDashes(prompt.args),
    env,
    files,
    promptDelivery: prompt.delivery,
    keys: { interrupt: ['\x1b'], submit: '\r', clear: '\x15', inputMark: '❯' },
    answers: [OFFER],
  }
}

const WHOLE_SCREEN = 200

// As 3.0 shows a failure.
const ending = endingOf({ below: /^❯ /, begins: /^ [❯*] /, failed: /^\* Error: (.+?)(?: ─+)?$/ })

// As 3.0 shows it. What it does turns a mark before its words, which may have left the screen.
const screen: ScreenRule[] = [
  {
    shows: /Press Enter to open, any other key to close/,
    within: 12,
    state: 'blocked',
    dialog: 'menu',
    detail: 'it shows an offer',
  },
  {
    shows: /^ *↑\/↓ navigate, Enter to select, Ctrl\+C to exit/,
    within: 1,
    state: 'blocked',
    dialog: 'setup',
    detail: 'it asks to sign in',
  },
  { shows: /^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /, within: WHOLE_SCREEN, state: 'active' },
  { shows: /^ .*[○●] Plan [○●] Act \(Tab\)/, within: 4, state: 'idle', ifStill: true, ending },
]

export const terminal = { plan, screen }
