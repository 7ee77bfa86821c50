import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { launchPrompt } from '../kit/launch-prompt.ts'
import { endingOf, type ScreenRule } from '../kit/screen-rules.ts'
import { joinedFlag } from '../kit/spawn-args.ts'
import { endpointOverride, optionFlags, requireKeyAuth, sessionFlags, systemPromptEnv, validate } from './args.ts'
import { workingCopyOf } from './home.ts'
import { promptContent } from './prompt.ts'
import { settingsEnv } from './run-settings.ts'

function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('gemini', options, { mcpServers: 'Add them with `gemini mcp add`, or use no terminal.' })
  validate(options)
  if (options.endpoint) requireKeyAuth(options)
  const prompt = launchPrompt({ ...options, prompt: promptContent(options) })
  const files: RunFile[] = [...prompt.files]
  const [text] = prompt.args
  return {
    args: ['--skip-trust', ...optionFlags(options, files), ...sessionFlags(options)],
    promptArgs: joinedFlag('--prompt-interactive', text),
    env: {
      ...(options.endpoint && endpointOverride(options.endpoint).env),
      ...systemPromptEnv(options, files),
      ...settingsEnv(options, files),
    },
    files,
    workingCopy: options.sessionId === undefined ? undefined : workingCopyOf(options, options.sessionId),
    promptDelivery: prompt.delivery,
    keys: {
      interrupt: ['\x1b'],
      submit: '\r',
      clear: '\x15',
      // `*` while it allows every tool.
      inputMark: /^[>*]/,
      decide: { approve: ['1'], deny: ['\x1b'] },
    },
  }
}

// As 0.61 shows it.
const ending = endingOf({
  below: /^─{20,}/,
  begins: /^(?:[✕✦✓⊶]|[╭│╰▀])/,
  failed: /^✕ (?:\[API Error: )?(.+?)\]?(?: ℹ .*| \? for shortcuts)?$/,
  interrupted: /ℹ Request cancelled\./,
})

const screen: ScreenRule[] = [
  { shows: /^│ +\d\. No\b.*\(esc\)/, state: 'blocked', dialog: 'permission', detail: 'it asks for a permission' },
  { shows: /^│ +\(Use Enter to select\)/, within: 8, state: 'blocked', dialog: 'setup', detail: 'it asks to sign in' },
  { shows: /^│ +● \d\. /, within: 12, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /\(esc to cancel, \d+\w/, within: 10, state: 'active' },
  { shows: /^ workspace \(\/directory\) /, within: 2, state: 'idle', ending },
]

export const terminal = { plan, screen }
