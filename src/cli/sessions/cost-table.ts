import type { CostFigures, CostGroup, CostSummary } from '../../contract/session-manager.ts'
import { type Paint, plain } from '../output.ts'
import { wrapWords } from '../run/text-flow.ts'
import { type Cell, table } from '../table.ts'
import { unmarked } from '../terminal-text.ts'
import { displayWidth, formatCost, formatCount } from '../text.ts'
import { shortIds, tilde } from './table.ts'

export interface CostTableOptions {
  groupBy: CostGroup
  paint: Paint
  width: number
}

interface Row {
  name: string
  figures: CostFigures
}

interface Column {
  title: string
  /** Only where there is so much room. */
  from: number
  /** Only below this. */
  below?: number
  align?: 'left'
  text(row: Row, count: (tokens: number) => string): string
}

/** From here on numbers are written out, as they are where nobody reads them on a screen. */
const WIDE = 100
const MEDIUM = 70

/** As `ccusage` has them: input without what the cache had a part in, so that the four add up to the total. */
const COLUMNS: readonly Column[] = [
  { title: 'MODELS', from: WIDE, align: 'left', text: ({ figures }) => (figures.models ?? []).join(', ') },
  { title: 'INPUT', from: MEDIUM, text: ({ figures }, count) => count(freshInput(figures)) },
  { title: 'OUTPUT', from: MEDIUM, text: ({ figures }, count) => count(figures.outputTokens) },
  { title: 'CACHE WRITE', from: MEDIUM, text: ({ figures }, count) => count(figures.cacheCreationTokens) },
  { title: 'CACHE READ', from: MEDIUM, text: ({ figures }, count) => count(figures.cacheReadTokens) },
  { title: 'TOTAL', from: MEDIUM, text: ({ figures }, count) => count(totalOf(figures)) },
  { title: 'TOKENS', from: 0, below: MEDIUM, text: ({ figures }, count) => count(totalOf(figures)) },
  { title: 'COST', from: 0, text: ({ figures }) => formatUsd(figures) },
]

const TITLES: Readonly<Record<CostGroup, string>> = {
  ...{ agent: 'AGENT', model: 'MODEL', day: 'DATE', month: 'MONTH', block: 'BLOCK OF 5 H FROM' },
  ...{ project: 'PROJECT', session: 'SESSION', tag: 'TAG' },
}
const NARROW_TITLES: Readonly<Partial<Record<CostGroup, string>>> = { block: 'BLOCK FROM' }

const BY_TIME: ReadonlySet<CostGroup> = new Set(['day', 'month', 'block'])

/** One row for each group, a total, and what the signs in it mean. */
export function costTable(summary: CostSummary, { groupBy, paint, width }: CostTableOptions): string {
  if (summary.sessionCount === 0) return 'No sessions found.'
  const groups = Object.entries(summary.breakdowns ?? {}).sort(BY_TIME.has(groupBy) ? byName : byCost)
  const names = namesOf(
    groups.map(([name]) => name),
    groupBy,
  )
  const rows: Row[] = [
    ...groups.map(([, figures], index) => ({ name: names[index] ?? '', figures })),
    { name: 'Total', figures: summary },
  ]
  const isWide = width >= WIDE
  const showsModels = groupBy !== 'model'
  const columns = COLUMNS.filter(
    ({ title, from, below }) =>
      width >= from && (below === undefined || width < below) && (showsModels || title !== 'MODELS'),
  )
  const count = isWide ? grouped : formatCount
  const title = (isWide ? undefined : NARROW_TITLES[groupBy]) ?? TITLES[groupBy]
  const header = [{ text: title, whole: true }, ...columns.map((column) => cellOf(column.title, column))]
  const lines = table(
    [
      header.map((cell): Cell => ({ ...cell, style: 'bold' })),
      ...rows.map((row, index): Cell[] => {
        const style = index === rows.length - 1 ? 'bold' : undefined
        // What one looks a row up by is never cut; a path may be.
        const name: Cell = { text: row.name, whole: groupBy !== 'project', style }
        return [name, ...columns.map((column): Cell => ({ ...cellOf(column.text(row, count), column), style }))]
      }),
    ],
    paint,
    width,
  )
    .trimEnd()
    .split('\n')
  const rule = paint('dim', '─'.repeat(Math.max(...lines.map((line) => displayWidth(unmarked(line))))))
  const notes = [...legend(rows), ...unpricedNote(summary)].map((note) => wrapWords(note, width, '   ', plain))
  const body = [...lines.slice(0, 1), rule, ...lines.slice(1, -1), rule, ...lines.slice(-1)]
  return `${body.join('\n')}\n${notes.map((note) => `\n${note}`).join('')}`
}

function cellOf(text: string, { align }: Column): Cell {
  return align === 'left' ? { text } : { text, align: 'right', whole: true }
}

function namesOf(names: readonly string[], groupBy: CostGroup): string[] {
  if (groupBy === 'project') return names.map(tilde)
  if (groupBy !== 'session') return [...names]
  return shortIds(
    names.map((name) => {
      const at = name.indexOf(':')
      return { agent: name.slice(0, at), sessionId: name.slice(at + 1) }
    }),
  )
}

function byName([a]: [string, CostFigures], [b]: [string, CostFigures]): number {
  return a < b ? -1 : 1
}

function byCost([, a]: [string, CostFigures], [, b]: [string, CostFigures]): number {
  return (b.totalUsd ?? -1) - (a.totalUsd ?? -1) || totalOf(b) - totalOf(a)
}

function totalOf({ inputTokens, outputTokens }: CostFigures): number {
  return inputTokens + outputTokens
}

function freshInput({ inputTokens, cacheReadTokens, cacheCreationTokens }: CostFigures): number {
  return Math.max(0, inputTokens - cacheReadTokens - cacheCreationTokens)
}

function grouped(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Only the signs that are there. */
function legend(rows: readonly Row[]): string[] {
  const has = (is: (figures: CostFigures) => boolean) => rows.some(({ figures }) => is(figures))
  return [
    ...(has(({ source }) => source === 'estimated') ? ['~  estimated by list prices'] : []),
    ...(has(({ totalUsd, unpricedTokens }) => totalUsd !== null && unpricedTokens > 0)
      ? ['>  at least: a part has no price']
      : []),
  ]
}

/** A sum that leaves something out says so. */
function formatUsd({ totalUsd, source, unpricedTokens }: CostFigures): string {
  if (totalUsd === null) return 'unpriced'
  const cost = formatCost({ totalUsd, source: source === 'estimated' ? 'price-table' : 'agent' })
  return `${unpricedTokens > 0 ? '>' : ''}${cost}`
}

function unpricedNote({ unpricedTokens, unpricedModels }: CostSummary): string[] {
  if (unpricedTokens === 0) return []
  const names = unpricedModels.slice(0, 8).join(', ')
  return [
    `Unpriced: ${formatCount(unpricedTokens)} tokens of ${names}.`,
    '`amux models --help` says how to set prices.',
  ]
}
