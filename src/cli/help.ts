import type { Flag } from '../contract/option-row.ts'
import { type Command, type CommandEntry, type FlagTable, GLOBAL_FLAGS } from './command.ts'
import { EXIT_CODES } from './exit-codes.ts'
import type { Paint } from './output.ts'
import { displayWidth } from './text.ts'

const GENERAL = 'Flags'
const GENERAL_COMMANDS = 'Commands'
const FLAG_COLUMN = 32

export function overview(commands: readonly CommandEntry[], paint: Paint): string {
  return [
    'amux: every command-line coding agent behind one contract',
    '',
    `${paint('bold', 'Usage')}  amux <command> [arguments] [flags]`,
    '',
    ...groupedSummaries(commands, paint),
    ...flagLines('Flags of every command', Object.entries(GLOBAL_FLAGS), paint),
    '',
    paint('bold', 'Examples'),
    '  amux demo',
    '  amux run claude "Explain this repository"',
    '  git diff | amux run codex "Review this change" -',
    '  amux run acp:"my-agent --acp" "Explain this repository"',
    '',
    'amux help <command> says more; amux help exit-codes lists the exit codes.',
    '',
  ].join('\n')
}

function groupedSummaries(commands: readonly CommandEntry[], paint: Paint): string[] {
  const groups = groupBy(commands, ({ group }) => group ?? GENERAL_COMMANDS)
  const column = nameColumn(commands)
  return [...groups].flatMap(([group, entries]) => [...summaries(group, entries, column, paint), ''])
}

function summaries(title: string, commands: readonly CommandEntry[], column: number, paint: Paint): string[] {
  return [
    paint('bold', title),
    ...commands.map(({ name, summary }) => `  ${paint('cyan', name.padEnd(column))}${summary}`),
  ]
}

function nameColumn(commands: readonly CommandEntry[]): number {
  return Math.max(...commands.map(({ name }) => name.length)) + 2
}

export function commandHelp({ name, aliases, summary }: CommandEntry, command: Command, paint: Paint): string {
  const own = Object.keys(command.flags).length > 0 ? groupLines(command.flags, paint) : []
  return [
    `amux ${name}: ${summary}`,
    '',
    `${paint('bold', 'Usage')}  amux ${command.usage}`,
    ...(aliases ? [`${paint('bold', 'Alias')}  ${aliases.join(', ')}`] : []),
    ...(command.about ? ['', command.about.trim()] : []),
    '',
    ...(command.subcommands ? groupedSummaries(command.subcommands, paint) : []),
    ...own,
    ...flagLines('Flags of every command', Object.entries(GLOBAL_FLAGS), paint),
    '',
    paint('bold', 'Examples'),
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

export function exitCodeHelp(paint: Paint): string {
  const rows = Object.values(EXIT_CODES).map(
    ({ code, meaning }) => `  ${paint('cyan', String(code).padStart(2))}  ${meaning}`,
  )
  return ['Exit codes of amux. `amux run` exits by the outcome of the run.', '', ...rows, ''].join('\n')
}

function groupLines(flags: FlagTable, paint: Paint): string[] {
  const groups = groupBy(Object.entries(flags), ([, { group }]) => group ?? GENERAL)
  return [...groups].flatMap(([group, entries]) => [...flagLines(group, entries, paint), ''])
}

function flagLines(title: string, entries: readonly (readonly [string, Flag])[], paint: Paint): string[] {
  return [paint('bold', title), ...entries.map(([name, flag]) => flagLine(name, flag, paint))]
}

function flagLine(name: string, flag: Flag, paint: Paint): string {
  const short = flag.short ? `-${flag.short}, ` : '    '
  const left = `  ${short}--${name}${flag.value ? ` ${flag.value}` : ''}${flag.multiple ? ' …' : ''}`
  const padding = displayWidth(left) < FLAG_COLUMN ? ' '.repeat(FLAG_COLUMN - displayWidth(left)) : '  '
  return `${paint('cyan', left)}${padding}${flag.about}`
}

function groupBy<Item>(items: readonly Item[], groupOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item])
  return groups
}
