import type { RunOptions } from '../../contract/run-options.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal, refuseModes } from '../../core/terminal-options.ts'
import { afterDashes, launchPrompt } from '../kit/launch-prompt.ts'
import type { ScreenRule } from '../kit/screen-rules.ts'
import { endpointOverride, optionFlags, validate } from './args.ts'

function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('grok', options, { mcpServers: 'Add them with `grok mcp add`, or use no terminal.' })
  refuseModes('grok', options, 'accept-edits')
  validate(options)
  const prompt = launchPrompt(options)
  return {
    args: optionFlags(options),
    promptArgs: afterDashes(prompt.args),
    env: options.endpoint ? endpointOverride(options.endpoint).env : {},
    files: prompt.files,
    promptDelivery: prompt.delivery,
    keys: { interrupt: ['\x03'], submit: '\r', clear: '\x15', inputMark: '❯', decide: { approve: ['3'], deny: ['4'] } },
  }
}

const INPUT_FRAME = /^ *╭─{20,}/
const BAR = /^ {2}┃ +(.*)$/
const SCROLL_BAR = / *█$/

/** As 1.0.41 shows a failure: the last lines stand behind a bar, further to the left than any answer. */
const ending: ScreenRule['ending'] = (lines) => {
  const said = lines
    .slice(
      0,
      Math.max(
        0,
        lines.findLastIndex((line) => INPUT_FRAME.test(line)),
      ),
    )
    .map((line) => line.replace(SCROLL_BAR, '').trimEnd())
    .filter((line) => line !== '')
  const words = said.slice(said.findLastIndex((line) => !BAR.test(line)) + 1).map((line) => BAR.exec(line)?.[1] ?? '')
  return words.length === 0 ? {} : { ended: 'failed', detail: words.join(' ') }
}

// As 1.0.41 shows it.
const screen: ScreenRule[] = [
  {
    shows: /^ *┃ +\d \([●○]\) No, reject/,
    within: 8,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  {
    shows: /^ *┃ +You hit your .*limit/,
    within: 12,
    state: 'blocked',
    dialog: 'menu',
    detail: 'You hit your limit: it asks whether to buy more or to try again',
  },
  { shows: /^ *┃ +\d \([●○]\) /, within: 12, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /^ *Login with Grok +l *$/, state: 'blocked', within: 6, dialog: 'setup', detail: 'it asks to sign in' },
  { shows: /Ctrl\+c:cancel/, within: 2, state: 'active' },
  { shows: /Ctrl\+x:shortcuts/, within: 2, state: 'idle', ending },
  // The page that it starts with when it has no prompt.
  { shows: /^ *Logged in with /, within: 1, state: 'idle' },
]

export const terminal = { plan, screen }
