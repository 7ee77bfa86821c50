import { CapabilityError } from '../../contract/errors.ts'
import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { refuseInTerminal } from '../../core/terminal-options.ts'
import { afterDashes, launchPrompt } from '../kit/launch-prompt.ts'
import { endingOf, type ScreenRule } from '../kit/screen-rules.ts'
import { flag } from '../kit/spawn-args.ts'
import { endpointOverride, mcpFlags, setting, systemPromptFlags } from './args.ts'
import { absoluteDirs, effortFor, hasSecrets, refuseUnsupported, validate } from './options.ts'
import { promptContent } from './prompt.ts'

const APPROVAL_FLAGS: Record<ApprovalMode, string[]> = {
  prompt: [],
  'accept-edits': ['--sandbox', 'workspace-write', '--ask-for-approval', 'on-request'],
  yolo: ['--dangerously-bypass-approvals-and-sandbox'],
  deny: ['--sandbox', 'read-only', '--ask-for-approval', 'never'],
}

/** A session to go on with is a subcommand, and its id comes before the prompt. */
function subcommand({ sessionId, forkSessionId }: RunOptions): { name: string[]; id: string[] } {
  if (forkSessionId !== undefined) return { name: ['fork'], id: [forkSessionId] }
  return sessionId === undefined ? { name: [], id: [] } : { name: ['resume'], id: [sessionId] }
}

function refuseSecrets({ mcpServers = [] }: RunOptions): void {
  const server = mcpServers.find(hasSecrets)
  if (!server) return
  const hint = 'They would stand on the command line. Put the server into the settings of codex, or use no terminal.'
  throw new CapabilityError('codex', `variables and headers of MCP server ${server.name} in a terminal`, { hint })
}

/**
 * Without its shared background server, which would outlive the session. That the directory is trusted is said for this
 * process only: starting the session there has answered the question.
 */
function plan(options: RunOptions): LaunchPlan {
  refuseInTerminal('codex', options)
  refuseUnsupported(options)
  validate(options)
  refuseSecrets(options)
  const prompt = launchPrompt({ ...options, prompt: promptContent(options) })
  const files: RunFile[] = [...prompt.files]
  const { name, id } = subcommand(options)
  const effort = effortFor(options, options.model)
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  return {
    args: [
      ...name,
      '--no-daemon',
      ...setting('projects', { [options.cwd ?? process.cwd()]: { trust_level: 'trusted' } }),
      ...flag('--model', options.model),
      ...(effort === undefined ? [] : setting('model_reasoning_effort', effort)),
      ...APPROVAL_FLAGS[options.approvalMode ?? 'prompt'],
      ...absoluteDirs(options).flatMap((directory) => ['--add-dir', directory]),
      ...systemPromptFlags(options, files),
      ...mcpFlags(options),
      ...(endpoint?.args ?? []),
    ],
    promptArgs: afterDashes([...id, ...prompt.args]),
    env: endpoint?.env ?? {},
    files,
    promptDelivery: prompt.delivery,
    keys: {
      interrupt: ['\x1b'],
      submit: '\r',
      clear: '\x15',
      inputMark: '›',
      decide: { approve: ['y'], deny: ['\x1b'] },
    },
  }
}

// 0.166 runs no hook when a turn has failed.
const ending = endingOf({
  below: /^› /,
  begins: /^[■•›⚠✔✗]/,
  failed: /^■ (.+)$/,
  interrupted: /^■ Conversation interrupted/,
})

const screen: ScreenRule[] = [
  {
    shows: /^ *Press enter to confirm or esc/i,
    state: 'blocked',
    dialog: 'permission',
    detail: 'it asks for a permission',
  },
  {
    shows: /^ *enter (continue · esc quit|confirm · esc skip)/i,
    state: 'blocked',
    dialog: 'setup',
    detail: 'it asks before it starts',
  },
  { shows: /^ *Press enter to continue/, within: 1, state: 'blocked', dialog: 'setup', detail: 'it asks to sign in' },
  { shows: /esc to interrupt/, state: 'active' },
  // 0.166 shows nothing else while it writes an answer.
  { shows: /^ {2}\? for shortcuts/, within: 2, state: 'idle', ifStill: true, ending },
]

export const terminal = { plan, screen }
