import { parseArgs } from 'node:util'
import { AgentMuxError } from '../contract/errors.ts'
import type { Flag } from '../contract/option-row.ts'
import { OPTIONS } from '../contract/option-table.ts'
import { suggest } from '../core/suggest.ts'
import type { AgentMuxClient } from '../mux/client.ts'
import type { Output } from './output.ts'

export type FlagTable = Readonly<Record<string, Flag>>

/** For commands that are about an agent. */
export const AGENT_FLAG = { agent: { ...OPTIONS.agent.flags.agent, about: 'The agent' } } as const satisfies FlagTable
export const MODEL_FLAG = OPTIONS.model.flags

/** Flags that every command takes, before or after its name. */
export const GLOBAL_FLAGS = {
  json: { type: 'boolean', about: 'Machine-readable output' },
  ...OPTIONS.debug.flags,
  'config-dir': { type: 'string', value: 'DIR', about: 'Our settings (default ~/.agent-mux)' },
  'project-dir': {
    type: 'string',
    value: 'DIR',
    about: "The project's settings (default .agent-mux, looked for upwards)",
  },
  'no-color': { type: 'boolean', about: 'No colours (also NO_COLOR)' },
  version: { type: 'boolean', short: 'V', about: 'Print the version' },
  help: { type: 'boolean', short: 'h', about: 'Show help' },
} as const satisfies FlagTable

/** Flags that may come before the name of a command, which may refuse them. */
export const LEADING_FLAGS = { ...AGENT_FLAG, ...MODEL_FLAG, ...GLOBAL_FLAGS } as const satisfies FlagTable

type Values<Flags extends FlagTable> = ReturnType<
  typeof parseArgs<{ options: Flags; strict: true; allowPositionals: true }>
>['values']

export type GlobalValues = Values<typeof GLOBAL_FLAGS>

export interface CommandInput<Flags extends FlagTable> {
  /** Positional arguments. */
  args: string[]
  flags: Values<Flags & typeof GLOBAL_FLAGS>
}

export interface CommandContext {
  output: Output
  /** All commands, for those that describe the others. */
  commands: readonly CommandEntry[]
  /** Made on first use, so that a command that needs none does not pay for it. */
  client(flags: GlobalValues): Promise<AgentMuxClient>
}

interface Definition<Flags extends FlagTable> {
  /** After `amux `. */
  usage: string
  /** More to say than the summary, shown below the usage. */
  about?: string
  flags: Flags
  examples: readonly string[]
  /** Returns the exit code. Errors are thrown, `main` reports them. */
  run(input: CommandInput<Flags>, context: CommandContext): Promise<number>
}

/** A command as `main` sees it: data for help and completions, and a way to run it. */
export interface Command {
  readonly usage: string
  readonly about?: string
  readonly flags: FlagTable
  readonly examples: readonly string[]
  /** A group: the next word names one of these. */
  readonly subcommands?: readonly CommandEntry[]
  execute(argv: readonly string[], context: CommandContext): Promise<number>
}

/** What the list of commands shows, and how to get the code behind it. */
export interface CommandEntry {
  name: string
  aliases?: readonly string[]
  /** Heading below which `amux help` lists it. */
  group?: string
  summary: string
  load(): Promise<{ command: Command }>
}

export function findCommand(commands: readonly CommandEntry[], name: string): CommandEntry | undefined {
  return commands.find((entry) => entry.name === name || entry.aliases?.includes(name))
}

export function defineCommand<const Flags extends FlagTable>(definition: Definition<Flags>): Command {
  const { usage, about, flags, examples } = definition
  const options = { ...flags, ...GLOBAL_FLAGS }
  return {
    ...{ usage, about, flags, examples },
    execute(argv, context) {
      const { values, positionals } = parseStrictly(argv, options, usage)
      return definition.run({ args: positionals, flags: values }, context)
    },
  }
}

interface Group {
  usage: string
  about?: string
  examples: readonly string[]
  subcommands: readonly CommandEntry[]
  /** The one that is meant when none is named. */
  fallback: string
}

/** A command that is several: `amux sessions list`, `amux sessions show`. */
export function defineGroup({ fallback, ...group }: Group): Command {
  return {
    ...group,
    flags: {},
    async execute(argv, context) {
      const entry = findCommand(group.subcommands, fallback)
      if (!entry) throw usageError(`Say what to do: amux ${group.usage}`)
      return (await entry.load()).command.execute(argv, context)
    },
  }
}

export function usageError(message: string, hint?: string): AgentMuxError {
  return new AgentMuxError('VALIDATION_ERROR', message, { hint })
}

export function parseStrictly<Flags extends FlagTable>(
  argv: readonly string[],
  options: Flags,
  usage: string,
): { values: Values<Flags>; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true })
  } catch (error) {
    throw explain(argv, options, usage) ?? error
  }
}

/** The words of a usage before its arguments. */
function nameOf(usage: string): string {
  return /^[a-z-]+(?: [a-z]+(?= [^|]|$))?/.exec(usage)?.[0] ?? usage
}

/** Says in one line what `parseArgs` found wrong, naming the flag that was probably meant. */
function explain(argv: readonly string[], options: FlagTable, usage: string): AgentMuxError | null {
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  const hint = `\`amux ${nameOf(usage)} --help\` lists the flags.`
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!flag) {
      const close = suggest(token.name, Object.keys(options))
      const isLong = token.rawName.startsWith('--')
      return usageError(`Unknown flag ${token.rawName}`, close && isLong ? `Did you mean --${close}? ${hint}` : hint)
    }
    if (flag.type === 'boolean' && token.value !== undefined) {
      return usageError(`${token.rawName} takes no value`, hint)
    }
    if (flag.type === 'string' && token.value === undefined) {
      return usageError(`${token.rawName} needs a value: ${token.rawName} ${flag.value ?? 'VALUE'}`, hint)
    }
    if (flag.type === 'string' && !token.inlineValue && token.value?.startsWith('-') && token.value !== '-') {
      return usageError(
        `${token.rawName} needs a value, and ${token.value} looks like a flag`,
        `If it is the value, write --${token.name}=${token.value}`,
      )
    }
  }
  return null
}

/** The value as one of the choices, or a usage error that lists them. */
export function choice<const Choice extends string>(
  flag: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined
  const found = choices.find((one) => one === value)
  if (found === undefined) throw usageError(`${flag} must be one of ${choices.join(', ')}, not "${value}"`)
  return found
}

export function refuseExtra(args: readonly string[], allowed: number): void {
  const extra = args[allowed]
  if (extra !== undefined) throw usageError(`Unexpected argument "${extra}"`)
}
