import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan, StartAnswer } from '../../contract/terminal.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { afterDashes, launchPrompt } from '../kit/launch-prompt.ts'
import { addMcpFile } from '../kit/mcp-file.ts'
import type { ScreenRule } from '../kit/screen-rules.ts'
import { addedDirectory } from './added-directory.ts'
import { endpointOverride, optionFlags, systemPromptFlags } from './args.ts'

/** As a bearer token: a key in the environment would be asked about, once for each new key. */
function endpointEnv({ endpoint }: RunOptions): Record<string, string> {
  if (!endpoint) return {}
  return { ...endpointOverride(endpoint).env, ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: endpoint.apiKey }
}

/** The second choice is yes. */
const BYPASS: StartAnswer = {
  shows: /WARNING: Claude Code running in Bypass Permissions mode/,
  press: ['\x1b[B', '\r'],
}

/**
 * Two questions are answered beforehand, for this process only, because starting the session has answered them: whether
 * the directory is trusted (2.1 knows the variable), and whether no questions at all are wanted. For the second there is
 * a setting, but the CLI takes `--settings` once, and our hooks come by it.
 */
function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('claude', options)
  const prompt = launchPrompt(options)
  const files: RunFile[] = [...prompt.files]
  const mcpFile = addMcpFile(files, options.mcpServers)
  const added = addedDirectory(options, files)
  return {
    args: [
      ...systemPromptFlags(options, files),
      // `--mcp-config` takes any number of values, so a flag has to follow it.
      ...(mcpFile === null ? [] : ['--mcp-config', mcpFile]),
      ...optionFlags(options),
      ...added.args,
      ...(prompt.delivery === 'file' ? ['--allowedTools=Read(/{file:prompt.md})'] : []),
    ],
    promptArgs: afterDashes(prompt.args),
    env: { CLAUDE_CODE_SANDBOXED: '1', ...added.env, ...endpointEnv(options) },
    files,
    promptDelivery: prompt.delivery,
    keys: {
      interrupt: ['\x1b'],
      submit: '\r',
      clear: '\x15',
      inputMark: '❯',
      decide: { approve: ['1'], deny: ['\x1b'] },
    },
    answers: options.approvalMode === 'yolo' ? [BYPASS] : [],
  }
}

const screen: ScreenRule[] = [
  {
    shows: /^ *Esc to cancel · Tab to amend/,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  {
    shows: /^ *Enter to select · ↑\/↓ to navigate/,
    state: 'blocked',
    dialog: 'question',
    detail: 'it asks a question',
  },
  {
    shows: /^ *Enter to confirm · Esc to cancel/,
    state: 'blocked',
    dialog: 'setup',
    detail: 'it asks before it starts',
  },
  // In a new home: first the theme, then what to take care of.
  { shows: /^ *Syntax theme: .*\(ctrl\+t /, state: 'blocked', dialog: 'setup', detail: 'it asks for a theme' },
  {
    shows: /^ *Press Enter to continue…/,
    state: 'blocked',
    dialog: 'setup',
    detail: 'it shows notes before it starts',
  },
  // A menu of any other kind: the line to type in is not indented.
  { shows: /^ +❯ \S/, state: 'blocked', dialog: 'menu', detail: 'it asks something' },
  { shows: / · esc to interrupt/, state: 'active' },
  { shows: /^ *(⏵⏵|⏸) .*(shift\+tab|\? for shortcuts)/, state: 'idle' },
]

export const terminal = { plan, screen }
