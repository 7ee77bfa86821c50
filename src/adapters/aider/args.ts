import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type {
  ApprovalMode,
  Attachment,
  EndpointOverride,
  EndpointProtocol,
  RunOptions,
} from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { libraryUrl, protocolOf } from '../../core/endpoint.ts'
import { refuseOptions } from '../../core/unsupported.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, SILENCE_LIMIT_MS, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { checkSessionIds, sessionPaths } from './session.ts'

/** More answers than it has questions in a run. They fit into a pipe. */
const NO_TO_ALL = 'n\n'.repeat(30_000)

interface Consent {
  flags: string[]
  stdin: string
}

/**
 * No commands at all: neither those that the model suggests, nor those that the settings name. It reads settings from the
 * project, too, and nothing switches that off; only a flag wins over them.
 */
const NO_COMMANDS = [
  ...['--no-suggest-shell-commands', '--no-auto-lint', '--no-auto-test', '--test-cmd=', '--lint-cmd=none:true'],
  ...['--no-notifications', '--load='],
]

/**
 * At the end of its stdin the CLI takes yes for the answer to everything, commands included. With `--yes-always` it says yes
 * to everything but commands (0.86.2).
 */
const CONSENT: Record<ApprovalMode, Consent> = {
  prompt: { flags: NO_COMMANDS, stdin: NO_TO_ALL },
  'accept-edits': { flags: ['--yes-always', ...NO_COMMANDS], stdin: '' },
  yolo: { flags: [], stdin: '' },
  // An edit of its dry run still commits what was there before.
  deny: { flags: ['--dry-run', '--no-dirty-commits', ...NO_COMMANDS], stdin: NO_TO_ALL },
}

const ENV = {
  // It breaks lines at the width of its terminal, those of the answer, too.
  COLUMNS: '100000',
  // It opens pages about failures, in a browser, unless somebody says no.
  BROWSER: 'true',
}

/** The names of LiteLLM: the provider is the first part of a model, and has an address and a key. */
const PROVIDERS: Partial<Record<EndpointProtocol, { prefix: string; base: string; key: string }>> = {
  'openai-chat': { prefix: 'openai', base: 'OPENAI_API_BASE', key: 'OPENAI_API_KEY' },
  anthropic: { prefix: 'anthropic', base: 'ANTHROPIC_API_BASE', key: 'ANTHROPIC_API_KEY' },
}

function addressFlags(endpoint: EndpointOverride, protocol: EndpointProtocol, variable: string): string[] {
  const address = libraryUrl(endpoint, protocol)
  const own = protocol === 'openai-chat' ? ['--openai-api-base', address] : []
  return ['--set-env', `${variable}=${address}`, ...own]
}

export function endpointOverride(endpoint: EndpointOverride, { model }: Partial<RunOptions> = {}): EndpointPlan {
  const protocol = protocolOf(manifest.capabilities, endpoint)
  const { prefix = '', base = '', key = '' } = PROVIDERS[protocol] ?? {}
  const named = model && (model.startsWith(`${prefix}/`) ? model : `${prefix}/${model}`)
  return {
    env: { [key]: endpoint.apiKey ?? '' },
    // By a flag, which wins over the settings of the project: those could send the key elsewhere. Its small tasks go to another model of the vendor, which the endpoint may not have.
    args: [...addressFlags(endpoint, protocol, base), ...flag('--model', named), ...flag('--weak-model', named)],
    files: [],
  }
}

/** What begins like this it takes for a command of its own: `!` runs a shell without asking anybody. */
function message(options: RunOptions): string {
  const text = promptWithSystem(options)
  return /^[/!]/.test(text) ? `\n${text}` : text
}

function files(options: RunOptions): RunFile[] {
  const own = options.noSession ? ['session.md', 'session.jsonl'] : []
  return [{ name: 'prompt.txt', content: message(options) }, ...own.map((name) => ({ name, content: '' }))]
}

/** A file that the model reads and may not edit. */
function readOnly({ filePath }: Attachment): string[] {
  if (filePath !== undefined) return ['--read', filePath]
  throw new CapabilityError('aider', 'base64 and url attachments', { hint: 'Use filePath.' })
}

/** One message from a file, then it ends. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('aider', options, { maxTurns: '' })
  checkSessionIds(options)
  const { model, endpoint, sessionId, thinkingEffort, thinkingBudgetTokens, attachments = [] } = options
  const { flags, stdin } = CONSENT[options.approvalMode ?? 'prompt']
  const plan = endpoint && endpointOverride(endpoint, options)
  const { words, counts } = sessionPaths(options)
  const thinks = thinkingEffort !== undefined || thinkingBudgetTokens !== undefined
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      ...['--message-file', '{file:prompt.txt}'],
      ...['--chat-history-file', words, '--analytics-log', counts],
      ...(sessionId === undefined ? [] : ['--restore-chat-history']),
      ...['--no-pretty', '--no-fancy-input', '--no-check-update', '--no-show-release-notes'],
      ...['--no-show-model-warnings', '--no-analytics', '--no-gitignore', '--disable-playwright'],
      // What a streamed answer has used it only estimates.
      '--no-stream',
      ...flags,
      ...attachments.flatMap(readOnly),
      ...(plan?.args ?? flag('--model', model)),
      // It would leave the setting out for each model that it does not know.
      ...(thinks ? ['--no-check-model-accepts-settings'] : []),
      ...flag('--reasoning-effort', thinkingEffort),
      ...flag('--thinking-tokens', thinkingBudgetTokens),
    ],
    env: { ...ENV, ...plan?.env },
    stdin,
    // Nothing in its text says that the answer is whole, so one that hangs after it is ended by its silence.
    inactivityTimeout: SILENCE_LIMIT_MS,
    files: files(options),
    usageStore: options.noSession ? counts : undefined,
  })
}
