import { type Paint, plain, type Style } from './output.ts'
import { wrapWords } from './run/text-flow.ts'
import { displayWidth, truncate } from './text.ts'

export interface Cell {
  text: string
  style?: Style
  /** Numbers are aligned to the right. */
  align?: 'left' | 'right'
  /** Never cut: an id that is cut is of no use. */
  whole?: boolean
  /** In a header: the column is left out where a terminal is too narrow for all of them, the last such column first. */
  optional?: boolean
}

const GAP = '  '
const MIN_COLUMN = 8

/** Columns side by side. When they do not fit, the widest gives way first; nothing wraps. */
export function table(rows: readonly (readonly (string | Cell)[])[], paint: Paint, width: number): string {
  const all = rows.map((row) => row.map((cell): Cell => (typeof cell === 'string' ? { text: cell } : cell)))
  const kept = keptColumns(all, width)
  const cells = all.map((row) => row.filter((_, column) => kept.has(column)))
  const widths = fitColumns(cells, width)
  const lines = cells.map((row) =>
    row
      .map(({ text, style, align }, column) => {
        const cut = truncate(text, widths[column] ?? 0)
        const padding = ' '.repeat((widths[column] ?? 0) - displayWidth(cut))
        const painted = style === undefined ? cut : paint(style, cut)
        return align === 'right' ? padding + painted : painted + padding
      })
      .join(GAP)
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

interface ColumnWidth {
  needed: number
  isWhole: boolean
}

function columnWidths(rows: readonly (readonly Cell[])[]): ColumnWidth[] {
  const columns: ColumnWidth[] = []
  for (const row of rows) {
    for (const [index, { text, whole = false }] of row.entries()) {
      const { needed = 0, isWhole = false } = columns[index] ?? {}
      columns[index] = { needed: Math.max(needed, displayWidth(text)), isWhole: isWhole || whole }
    }
  }
  return columns
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1))
}

/** Optional columns stay as long as each column can have its least width. */
function keptColumns(rows: readonly (readonly Cell[])[], width: number): ReadonlySet<number> {
  const least = columnWidths(rows).map(({ needed, isWhole }) => (isWhole ? needed : Math.min(needed, MIN_COLUMN)))
  const kept = new Set(least.keys())
  const optional = (rows[0] ?? []).flatMap((cell, column) => (cell.optional ? [column] : []))
  while (optional.length > 0 && totalOf([...kept].map((column) => least[column] ?? 0)) > width) {
    kept.delete(optional.pop() ?? -1)
  }
  return kept
}

function fitColumns(rows: readonly (readonly Cell[])[], width: number): number[] {
  const columns = columnWidths(rows)
  const widths = columns.map(({ needed }) => needed)
  while (totalOf(widths) > width) {
    const widest = widths.reduce((best, one, i) => (!columns[i]?.isWhole && one > (widths[best] ?? 0) ? i : best), -1)
    if ((widths[widest] ?? 0) <= MIN_COLUMN) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

interface Headings {
  /** Columns that are never cut. */
  whole?: readonly string[]
  /** Columns that a narrow terminal does without, the last first. */
  optional?: readonly string[]
  /** Columns of numbers. */
  right?: readonly string[]
}

/** The first row of a table. */
export function headings(titles: readonly string[], { whole = [], optional = [], right = [] }: Headings = {}): Cell[] {
  return titles.map((text) => ({
    ...({ text, style: 'bold', align: right.includes(text) ? 'right' : 'left' } as const),
    ...{ whole: whole.includes(text), optional: optional.includes(text) },
  }))
}

/** What is known of one thing, a line each: a name and its value, which is wrapped and never cut. */
export function details(
  rows: readonly (readonly [string | Cell, string | Cell])[],
  paint: Paint,
  width: number,
): string {
  const cells = rows.map((row) => row.map((cell): Cell => (typeof cell === 'string' ? { text: cell } : cell)))
  const column = Math.max(...cells.map(([name]) => displayWidth(name?.text ?? '')))
  const indent = ' '.repeat(column + GAP.length)
  const painted = (text: string, style: Style | undefined) => (style === undefined ? text : paint(style, text))
  const lines = cells.map(([name = { text: '' }, value = { text: '' }]) => {
    const room = Math.max(MIN_COLUMN, width - indent.length)
    const [first = '', ...more] = wrapWords(value.text, room, '', plain).split('\n')
    const head = painted(name.text, name.style) + ' '.repeat(indent.length - displayWidth(name.text))
    return [head + painted(first, value.style), ...more.map((line) => indent + painted(line, value.style))].join('\n')
  })
  return `${lines.join('\n')}\n`
}
