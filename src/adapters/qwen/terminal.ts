import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { launchPrompt } from '../kit/launch-prompt.ts'
import { addMcpFile } from '../kit/mcp-file.ts'
import type { ScreenRule } from '../kit/screen-rules.ts'
import { joinedFlag } from '../kit/spawn-args.ts'
import { endpointOverride, nativeMcpServer, optionFlags, settingsEnv, systemPromptFlags } from './args.ts'

function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('qwen', options)
  const prompt = launchPrompt(options)
  const files: RunFile[] = [...prompt.files]
  const mcpFile = addMcpFile(files, options.mcpServers, nativeMcpServer)
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  const [text] = prompt.args
  return {
    args: [
      ...systemPromptFlags(options),
      ...(mcpFile === null ? [] : [`--mcp-config=${mcpFile}`]),
      ...(endpoint?.args ?? []),
      ...optionFlags(options),
    ],
    promptArgs: joinedFlag('--prompt-interactive', text),
    env: { ...endpoint?.env, ...settingsEnv(options, files) },
    files,
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

// As 0.24 shows it.
const screen: ScreenRule[] = [
  {
    shows: /\d\. No\b.*\(esc\)/,
    within: 6,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  { shows: /^ *│ Connect a Provider /, within: 24, state: 'blocked', dialog: 'setup', detail: 'it asks to sign in' },
  { shows: /^[│ ]+[●›❯] \d\. /, within: 8, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /\(\d+\w.* · esc to cancel\)/, within: 10, state: 'active' },
  { shows: /^[>*] /, within: 5, state: 'idle' },
]

export const terminal = { plan, screen }
