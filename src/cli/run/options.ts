import {
  AgentMuxError,
  CapabilityError,
  type ErrorCode,
  isAgentMuxError,
  ValidationError,
} from '../../contract/errors.ts'
import { flagEntries, isOptionName, OPTION_NAMES, type OptionName } from '../../contract/options.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { usageError } from '../command.ts'
import type { RunValues } from './flags.ts'
import { type Environment, type FlagValues, readOption } from './option-flags.ts'

const EXCLUSIVE = [
  ['session', 'fork', 'no-session'],
  ['session', 'session-id'],
  ['yolo', 'deny', 'accept-edits'],
  ['stream', 'no-stream'],
  ['quiet', 'json'],
  ['quiet', 'interactive'],
  ['interactive', 'non-interactive'],
] as const

/** What the flags ask for. The agent and the prompt are found elsewhere: they may also be plain words. */
export function runOptions(flags: RunValues, env: Environment): Omit<RunOptions, 'prompt' | 'agent'> {
  for (const names of EXCLUSIVE) {
    const given = names.filter((name) => flags[name] !== undefined)
    if (given.length > 1) throw usageError(`${given.map((name) => `--${name}`).join(' and ')} exclude each other`)
  }
  const values: FlagValues = flags
  const given = OPTION_NAMES.filter((name) => name !== 'agent').map((name) => [name, readOption(name, values, env)])
  return Object.fromEntries(given)
}

/** The same errors, with the names that the user typed. */
export function inWordsOfFlags(error: unknown): unknown {
  if (error instanceof CapabilityError) {
    const { agent, capability, model, message, hint } = error
    return new CapabilityError(agent, capability, { model, message: asFlags(message), hint: hint && asFlags(hint) })
  }
  if (!(error instanceof ValidationError)) return inMessage(error)
  return new ValidationError(
    error.fields.map((fault) => ({ ...fault, field: flagOfField(fault.field) })),
    'Invalid options',
  )
}

const SPOKEN: ReadonlySet<ErrorCode> = new Set(['CAPABILITY_ERROR', 'VALIDATION_ERROR', 'PRICE_UNKNOWN'])

/** From a daemon, which sends no more than code, message and hint. */
function inMessage(error: unknown): unknown {
  if (!isAgentMuxError(error) || !SPOKEN.has(error.code)) return error
  const { code, message, hint, recoverable, cause } = error
  return new AgentMuxError(code, asFlags(message), { hint: hint && asFlags(hint), recoverable, cause })
}

/** The flags of what capabilities are called that are not named after an option. */
const OF_CAPABILITY: Readonly<Record<string, string>> = {
  sessionResume: '--session',
  sessionFork: '--fork',
  structuredOutput: '--output-schema',
  mcp: '--mcp-server',
  toolLists: '--allow-tool and --disallow-tool',
  jsonMode: '--output-format json',
  agentsMd: '--agents-doc',
  textStreaming: '--stream',
  imageInput: 'images in --attach',
  fileAttachments: 'files in --attach',
  filePath: 'the path of a file',
}

const NAMES = /\b[a-z]+(?:[A-Z][a-z]*)+\b|(?<=`)[a-z]+(?=`)|(?<=does not support )[a-z]+$/g

/**
 * Options and capabilities in a text by their flags. Names that are also words of English are taken for some only where
 * nothing else can stand.
 */
function asFlags(text: string): string {
  const withModes = text.replace(
    /\bapprovalMode "?([a-z-]+)"?/g,
    (all, mode) => flagThatSets('approvalMode', mode) ?? all,
  )
  return withModes.replace(NAMES, (name) => OF_CAPABILITY[name] ?? flagOfField(name))
}

function flagThatSets(option: OptionName, value: string): string | undefined {
  const found = flagEntries(option).find(([, { sets }]) => sets === value)
  return found && `--${found[0]}`
}

/** `options.maxCostUsd` of a request is `maxCostUsd` of the run. What several flags say, or none, keeps its name. */
function flagOfField(field: string): string {
  const name = field.replace(/^options\./, '')
  const [flag] = isOptionName(name) ? flagEntries(name) : []
  return flag === undefined || flag[1].sets !== undefined ? field : `--${flag[0]}`
}
