import type { Flag } from '../contract/option-row.ts'
import { type Command, type CommandEntry, type FlagTable, GLOBAL_FLAGS } from './command.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { type Paint, plain } from './output.ts'
import { wrapWords } from './run/text-flow.ts'
import { unmarked } from './terminal-text.ts'
import { displayWidth } from './text.ts'

const GENERAL = 'Flags'
const GENERAL_COMMANDS = 'Commands'
/** Room for the longest flag. */
const FLAG_COLUMN = 34

export function overview(commands: readonly CommandEntry[], paint: Paint, width: number): string {
  return [
    prose('amux: every command-line coding agent behind one contract', width),
    '',
    besides(`${paint('bold', 'Usage')}  `, 'amux <command> [arguments] [flags]', width),
    '',
    ...groupedSummaries(commands, paint, width),
    ...flagLines('Flags of every command', Object.entries(GLOBAL_FLAGS), paint, width),
    '',
    paint('bold', 'Examples'),
    '  amux demo',
    '  amux run claude "Explain this repository"',
    '  git diff | amux run codex "Review this change" -',
    '  amux run acp:"my-agent --acp" "Explain this repository"',
    '',
    prose('amux help <command> says more; amux help exit-codes lists the exit codes.', width),
    '',
  ].join('\n')
}

function groupedSummaries(commands: readonly CommandEntry[], paint: Paint, width: number): string[] {
  const groups = groupBy(commands, ({ group }) => group ?? GENERAL_COMMANDS)
  const column = nameColumn(commands)
  return [...groups].flatMap(([group, entries]) => [
    paint('bold', group),
    ...entries.map(({ name, summary }) => besides(`  ${paint('cyan', name.padEnd(column))}`, summary, width)),
    '',
  ])
}

function nameColumn(commands: readonly CommandEntry[]): number {
  return Math.max(...commands.map(({ name }) => name.length)) + 2
}

export function commandHelp(
  { name, aliases, summary }: CommandEntry,
  command: Command,
  paint: Paint,
  width: number,
): string {
  const own = Object.keys(command.flags).length > 0 ? groupLines(command.flags, paint, width) : []
  return [
    prose(`amux ${name}: ${summary}`, width),
    '',
    besides(`${paint('bold', 'Usage')}  `, `amux ${command.usage}`, width),
    ...(aliases ? [`${paint('bold', 'Alias')}  ${aliases.join(', ')}`] : []),
    ...(command.about ? ['', prose(command.about.trim(), width)] : []),
    '',
    ...(command.subcommands ? groupedSummaries(command.subcommands, paint, width) : []),
    ...own,
    ...flagLines('Flags of every command', Object.entries(GLOBAL_FLAGS), paint, width),
    '',
    paint('bold', 'Examples'),
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

export function exitCodeHelp(paint: Paint, width: number): string {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) =>
    besides(`  ${paint('cyan', String(code).padStart(2))}  `, meaning, width),
  )
  const title = prose('Exit codes of amux. `amux run` exits by the outcome of the run.', width)
  return [title, '', ...rows, ''].join('\n')
}

function groupLines(flags: FlagTable, paint: Paint, width: number): string[] {
  const groups = groupBy(Object.entries(flags), ([, { group }]) => group ?? GENERAL)
  return [...groups].flatMap(([group, entries]) => [...flagLines(group, entries, paint, width), ''])
}

function flagLines(
  title: string,
  entries: readonly (readonly [string, Flag])[],
  paint: Paint,
  width: number,
): string[] {
  return [paint('bold', title), ...entries.map(([name, flag]) => flagLine(name, flag, paint, width))]
}

function flagLine(name: string, flag: Flag, paint: Paint, width: number): string {
  const short = flag.short ? `-${flag.short}, ` : '    '
  const left = `  ${short}--${name}${flag.value ? ` ${flag.value}` : ''}${flag.multiple ? ' …' : ''}`
  const padding = displayWidth(left) < FLAG_COLUMN ? ' '.repeat(FLAG_COLUMN - displayWidth(left)) : '  '
  return besides(`${paint('cyan', left)}${padding}`, flag.about, width)
}

/** Paragraphs, wrapped between words where a terminal is too narrow for them. What is indented or a list stays as it is. */
function prose(text: string, width: number): string {
  if (text.split('\n').every((line) => line.length <= width)) return text
  const joined = text.replace(/(?<=\S)\n(?=[^\s-])/g, ' ')
  return joined
    .split('\n')
    .map((line) => wrapWords(line, width, '', plain))
    .join('\n')
}

const NARROWEST = 24
const INDENT = ' '.repeat(10)

/** A text in a column of its own; below its name where there is no room beside it. */
function besides(head: string, text: string, width: number): string {
  const column = displayWidth(unmarked(head))
  if (column + displayWidth(text) <= width) return head + text
  const isBelow = width - column < NARROWEST
  const indent = isBelow ? INDENT : ' '.repeat(column)
  const lines = wrapWords(text, width - indent.length, '', plain).split('\n')
  return [
    ...(isBelow ? [head.trimEnd(), `${indent}${lines[0]}`] : [head + lines[0]]),
    ...lines.slice(1).map((line) => indent + line),
  ].join('\n')
}

function groupBy<Item>(items: readonly Item[], groupOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item])
  return groups
}
