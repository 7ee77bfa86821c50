import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { launchPrompt } from '../../core/launch-prompt.ts'
import { extensionFlags } from '../../core/pi-family/extension.ts'
import { systemPromptFlags } from '../../core/pi-family/flags.ts'
import type { ScreenRule } from '../../core/screen-rules.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { endpointOverride, modelFlags, optionFlags, sessionFlags, statementsOf, toolFlags } from './args.ts'
import { mcpFlags } from './mcp.ts'

/** A prompt that begins like a file mention or an option would be taken for one; a blank before it keeps it a prompt. */
function asMessage(text: string): string {
  return /^[-@]/.test(text) ? ` ${text}` : text
}

function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('omp', options)
  const prompt = launchPrompt(options)
  const files: RunFile[] = [...prompt.files]
  return {
    args: [
      '--allow-home',
      ...modelFlags(options),
      ...sessionFlags(options),
      ...optionFlags(options),
      ...toolFlags(options, files),
      ...mcpFlags(options.mcpServers, files),
      ...systemPromptFlags(options, files),
      ...extensionFlags(statementsOf(options), files),
    ],
    promptArgs: prompt.args.map(asMessage),
    env: options.endpoint ? endpointOverride(options.endpoint).env : {},
    files,
    promptDelivery: prompt.delivery,
    keys: { interrupt: ['\x1b'], submit: '\r', clear: '\x15', inputFrame: /^[╭╰]──/ },
  }
}

// As 18.2 shows it.
const screen: ScreenRule[] = [
  { shows: /enter (to )?(select|confirm).*esc/i, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: /esc to (interrupt|cancel)/i, within: 8, state: 'active' },
]

export const terminal = { plan, screen }
