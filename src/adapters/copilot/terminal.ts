import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { launchPrompt } from '../kit/launch-prompt.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { endingOf, type ScreenRule } from '../kit/screen-rules.ts'
import { joinedFlag } from '../kit/spawn-args.ts'
import { endpointOverride, optionFlags, validate } from './args.ts'

/** Its flag that trusts a directory is for runs without a screen, so the question is answered where it is asked. */
function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('copilot', options)
  validate(options)
  const prompt = launchPrompt({ ...options, prompt: promptWithSystem(options) })
  const files: RunFile[] = [...prompt.files]
  const [text] = prompt.args
  return {
    args: [
      ...optionFlags(options, files),
      ...joinedFlag('--resume', options.sessionId),
      ...joinedFlag('--session-id', options.newSessionId),
    ],
    promptArgs: joinedFlag('--interactive', text),
    env: options.endpoint ? endpointOverride(options.endpoint).env : {},
    files,
    promptDelivery: prompt.delivery,
    keys: { interrupt: ['\x1b', '\x1b'], submit: '\r', clear: '\x15', inputMark: '❯' },
    answers: [{ shows: /^│ Do you trust the files in this folder\?/, press: ['\r'] }],
  }
}

// As 1.0.102 shows it.
// As 1.0.102 shows a failure: no hook reports it. Notes about its servers may come after it.
const ending = endingOf({
  below: /^❯/,
  begins: /^ (?:[✗❯]|● (?!MCP |Tip))/,
  failed: /^✗ (.+?)(?: ● .*)?(?: [~/]\S*(?: \[[^\]]*\])?)? ─+$/,
})

const screen: ScreenRule[] = [
  {
    shows: /enter to (select|confirm) · esc to cancel/i,
    state: 'blocked',
    dialog: 'menu',
    detail: 'it asks something',
  },
  {
    shows: /^Please use \/login to sign in/,
    within: 6,
    state: 'blocked',
    dialog: 'setup',
    detail: 'it asks to sign in: /login',
  },
  { shows: /^ ● (Working|Thinking)|\besc cancel\b/, within: 2, state: 'active' },
  { shows: / commands · \? help/, within: 2, state: 'idle', ending },
]

export const terminal = { plan, screen }
