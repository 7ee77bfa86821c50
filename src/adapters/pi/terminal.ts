import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { extensionFlags } from '../families/pi/extension.ts'
import { asMessage, systemPromptFlags } from '../families/pi/flags.ts'
import { launchPrompt } from '../kit/launch-prompt.ts'
import type { ScreenRule } from '../kit/screen-rules.ts'
import { endpointOverride, modelFlags, optionFlags, refuseUnsupported, sessionFlags, statementsOf } from './args.ts'

function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('pi', options)
  refuseUnsupported(options)
  const prompt = launchPrompt(options)
  const files: RunFile[] = [...prompt.files]
  return {
    args: [
      ...modelFlags(options),
      ...sessionFlags(options),
      ...optionFlags(options),
      ...systemPromptFlags(options, files),
      ...extensionFlags(statementsOf(options), files),
    ],
    promptArgs: prompt.args.map(asMessage),
    env: options.endpoint ? endpointOverride(options.endpoint).env : {},
    files,
    promptDelivery: prompt.delivery,
    keys: { interrupt: ['\x1b'], submit: '\r', clear: '\x15', inputFrame: /^──/ },
  }
}

// As 1.5 and 0.73 show it. The line above the input says that it works; the last one how full the context is.
const screen: ScreenRule[] = [
  { shows: /enter (to )?(select|confirm).*esc/i, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /%\/0 .*\bunknown$/, within: 1, state: 'blocked', dialog: 'setup', detail: 'it asks to sign in: /login' },
  { shows: /^── \S Working ──|^ *\S Working\.\.\./, within: 8, state: 'active' },
  { shows: /\d%\/\d+(\.\d+)?[kM]\b/, within: 1, state: 'idle' },
]

export const terminal = { plan, screen }
