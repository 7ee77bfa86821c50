import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal, refuseModes } from '../../core/terminal-options.ts'
import { launchPrompt } from '../kit/launch-prompt.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import type { ScreenRule } from '../kit/screen-rules.ts'
import { joinedFlag } from '../kit/spawn-args.ts'
import { approvalEnv } from './args.ts'
import { runSettings } from './endpoint.ts'

/** What is typed while it works waits for its turn; by itself the agent would stop for it. */
const SCREEN_SETTINGS = { display: { busy_input_mode: 'queue' } }

/** Its screen takes no prompt on the command line, so that the first one is typed, too. */
function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('hermes', options, {
    mcpServers: 'Add them to mcp_servers in its config.yaml, or use no terminal.',
    forkSessionId: 'Type /branch in its screen.',
  })
  refuseModes('hermes', options, 'accept-edits')
  const { model, endpoint, sessionId } = options
  const prompt = launchPrompt({ ...options, prompt: promptWithSystem(options) }, true)
  const files: RunFile[] = []
  const env = { ...runSettings(options, files, SCREEN_SETTINGS), ...approvalEnv(options) }
  return {
    args: ['chat', '--cli', ...(endpoint ? [] : joinedFlag('--model', model)), ...joinedFlag('--resume', sessionId)],
    promptArgs: [],
    env,
    files,
    promptDelivery: prompt.delivery,
    typedPrompt: prompt.typed,
    // No key means a refusal in each of its dialogs: 3 is "deny" in one, and "always" in another.
    keys: { interrupt: ['\x03'], submit: '\r', clear: '\x15', inputMark: '❯' },
  }
}

// As 0.19 shows it.
const screen: ScreenRule[] = [
  { shows: /^⚠ ❯/, state: 'blocked', dialog: 'permission', detail: 'it asks for a permission' },
  { shows: /^[?🔑🔐🔒] ?❯/u, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /^⚕ ❯/, state: 'active' },
  { shows: /^❯/, state: 'idle' },
]

export const terminal = { plan, screen }
