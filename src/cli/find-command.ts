import { suggest } from '../core/suggest.ts'
import { type Command, type CommandEntry, findCommand, LEADING_FLAGS, usageError } from './command.ts'

const VALUE_FLAGS: ReadonlySet<string> = new Set(
  Object.entries(LEADING_FLAGS).flatMap(([name, flag]) =>
    flag.type === 'string' ? [`--${name}`, ...('short' in flag ? [`-${flag.short}`] : [])] : [],
  ),
)

const GLOBAL_WORDS: ReadonlySet<string> = new Set(
  Object.entries(LEADING_FLAGS).flatMap(([name, flag]) => [
    `--${name}`,
    ...('short' in flag ? [`-${flag.short}`] : []),
  ]),
)

/** Where the command's name is: the first word that is neither such a flag nor the value of one. */
export function commandIndex(argv: readonly string[]): number {
  let at = 0
  while (argv[at]?.startsWith('-') && argv[at] !== '--') at += VALUE_FLAGS.has(argv[at] ?? '') ? 2 : 1
  return at
}

export interface NamedCommand {
  /** With the name of its group before its own. */
  entry: CommandEntry
  command: Command
  /** The words without those that name it. */
  rest: string[]
}

/**
 * The command that the words name, through groups of commands. A group itself when no more is named. The name of an agent
 * is a command, too, so a mistyped one is looked for among both.
 */
export async function commandNamed(
  commands: readonly CommandEntry[],
  argv: readonly string[],
  group = '',
  agents: readonly string[] = [],
): Promise<NamedCommand> {
  const at = commandIndex(argv)
  const name = argv[at] ?? ''
  const found = findCommand(commands, name)
  if (!found) throw unknownCommand(commands, name, group, agents)
  const entry = group === '' ? found : { ...found, name: `${group} ${found.name}` }
  const { command } = await entry.load()
  const rest = [...argv.slice(0, at), ...argv.slice(at + 1)]
  if (!command.subcommands || !namesMore(rest)) return { entry, command, rest }
  return commandNamed(command.subcommands, rest, entry.name)
}

/** Whether a word follows; behind a flag of one command it may be the value of that flag. */
function namesMore(argv: readonly string[]): boolean {
  const at = commandIndex(argv)
  const isGlobal = (word: string) => GLOBAL_WORDS.has(word.split('=')[0] ?? '')
  return argv[at] !== undefined && argv.slice(0, at).every((word) => !word.startsWith('-') || isGlobal(word))
}

function unknownCommand(
  commands: readonly CommandEntry[],
  name: string,
  group: string,
  agents: readonly string[],
): Error {
  const close = suggest(name, [...commands.flatMap((one) => [one.name, ...(one.aliases ?? [])]), ...agents])
  const hint = group === '' ? '`amux help` lists the commands.' : `\`amux ${group} --help\` lists what there is.`
  const what = group === '' ? `Unknown command "${name}"` : `Unknown command "${group} ${name}"`
  return usageError(what, close ? `Did you mean "${close}"? ${hint}` : hint)
}
