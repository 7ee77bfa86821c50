import type { RunOptions } from '../../../contract/run-options.ts'
import type { RunFile } from '../../../contract/spawn.ts'
import type { LaunchPlan } from '../../../contract/terminal.ts'
import { refuseInTerminal } from '../../../core/terminal-options.ts'
import { continuesSession } from '../../kit/continues-session.ts'
import { launchPrompt } from '../../kit/launch-prompt.ts'
import type { ScreenRule } from '../../kit/screen-rules.ts'
import { joinedFlag } from '../../kit/spawn-args.ts'
import { sessionFlags } from './args.ts'
import { configEnv, nativeModel } from './config.ts'
import type { OpencodeDialect } from './dialect.ts'

/** The screen of OpenCode, and of the agents made from it. */
export function opencodeTerminal(dialect: OpencodeDialect) {
  return { plan: (options: RunOptions) => plan(dialect, options), screen }
}

function plan(dialect: OpencodeDialect, options: RunOptions): LaunchPlan {
  refuseInTerminal(dialect.agent, options, { thinkingEffort: 'Choose it on the screen.' })
  // Beside `--session` the prompt is not sent (1.18).
  const prompt = launchPrompt(options, continuesSession(options))
  const files: RunFile[] = [...prompt.files]
  const model = nativeModel(options, options.model)
  const [text] = prompt.args
  return {
    args: [
      ...joinedFlag('--model', model),
      ...(options.approvalMode === 'yolo' ? ['--auto'] : []),
      ...sessionFlags(options),
    ],
    promptArgs: joinedFlag('--prompt', text),
    env: configEnv(dialect, options, files),
    files,
    promptDelivery: prompt.delivery,
    typedPrompt: prompt.typed,
    keys: { interrupt: ['\x1b', '\x1b'], submit: '\r', clear: '\x15', inputFrame: /^ *┃ *$/ },
  }
}

// As OpenCode 1.18 and Kilo 7.7 show it. Kilo asks for a reason after a refusal.
const screen: ScreenRule[] = [
  {
    shows: /^ *┃ +Allow once +Allow always +Reject/,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  {
    shows: /^ *┃ .*((⇆|↑↓) .*enter |enter confirm +esc )/,
    state: 'blocked',
    dialog: 'menu',
    detail: 'it asks something',
  },
  { shows: / esc (again to )?interrupt /, within: 2, state: 'active' },
  { shows: / ctrl\+p commands *$/, within: 2, state: 'idle' },
]
