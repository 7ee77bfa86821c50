import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { asMessage } from '../families/pi/flags.ts'
import { launchPrompt } from '../kit/launch-prompt.ts'
import type { ScreenRule } from '../kit/screen-rules.ts'
import { commonFlags, endpointOverride } from './args.ts'

/** Its first start asks where to sign in, which an endpoint of the caller has answered. */
function endpointEnv({ endpoint }: RunOptions): Record<string, string> {
  return endpoint ? { ...endpointOverride(endpoint).env, OMP_SKIP_SETUP: '1' } : {}
}

function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('omp', options)
  const prompt = launchPrompt(options)
  const files: RunFile[] = [...prompt.files]
  return {
    args: commonFlags(options, files),
    promptArgs: prompt.args.map(asMessage),
    env: endpointEnv(options),
    files,
    promptDelivery: prompt.delivery,
    keys: { interrupt: ['\x1b'], submit: '\r', clear: '\x15', inputMark: '╰─' },
  }
}

// As 18.2 shows it. The line above the input begins with a clock while it works.
const screen: ScreenRule[] = [
  {
    shows: /^╭─ Allow tool: /,
    within: 16,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  { shows: /^│ +❯ \S/, within: 16, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /enter (to )?(select|confirm) .*esc/i, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /^ +⎋ |^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] \d+\w > /, within: 6, state: 'active' },
  { shows: /^ π > /, within: 6, state: 'idle' },
]

export const terminal = { plan, screen }
