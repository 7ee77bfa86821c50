import type { CostFigures, CostGroup, CostSummary } from '../../contract/session-manager.ts'
import { choice, defineCommand, usageError } from '../command.ts'
import { type Cell, type Output, table } from '../output.ts'
import { FILTER_FLAGS, filterOf } from '../sessions/flags.ts'
import { noteWarnings, readSessions } from '../sessions/index-progress.ts'
import { tilde } from '../sessions/table.ts'
import { formatCost, formatCount } from '../text.ts'

const GROUPS = ['agent', 'model', 'day', 'project', 'session', 'tag'] as const satisfies readonly CostGroup[]

export const command = defineCommand({
  usage: 'cost',
  about: `
What all sessions on this machine have used and cost, whoever started them. Each request counts once, however often it
was streamed, resumed or copied into a fork; sub-agents count for the session that they worked for. The agent's own cost
counts where it tells one, else list prices, which ~ marks; tokens of a model without a price are told apart, and > marks
a sum that they are missing from.`,
  flags: {
    ...FILTER_FLAGS,
    by: { type: 'string', value: 'GROUP', about: `${GROUPS.join(', ')} (default agent)`, choices: GROUPS },
    'group-by': { type: 'string', value: 'GROUP', about: 'The same as --by', choices: GROUPS },
  },
  examples: ['amux cost', 'amux cost --by day --since 7d', 'amux cost --by session --agent claude --json'],
  async run({ args, flags }, { output, client }) {
    if (args.length > 0 && args[0] !== 'report') throw usageError(`Unexpected argument "${args[0]}"`)
    const groupBy = choice('--by', flags.by ?? flags['group-by'], GROUPS) ?? 'agent'
    const { sessions } = await client(flags)
    await readSessions(sessions, output, flags.agent)
    const summary = await sessions.totalCost({ ...filterOf(flags, Date.now()), agent: flags.agent, groupBy })
    output.result(summary, costText(summary, groupBy, output))
    noteWarnings(sessions, output, flags.debug ?? false)
    sessions.close()
    return 0
  },
})

function costText(summary: CostSummary, groupBy: CostGroup, output: Output): string {
  if (summary.sessionCount === 0) return 'No sessions found.'
  const groups = Object.entries(summary.breakdowns ?? {}).sort(groupBy === 'day' ? byName : byCost)
  const titles = [groupBy.toUpperCase(), 'SESSIONS', 'INPUT', 'CACHED', 'OUTPUT', 'COST']
  const rows = [
    titles.map((text): Cell => ({ text, style: 'bold' })),
    ...groups.map(([name, figures]) => figureRow(groupBy === 'project' ? tilde(name) : name, figures)),
    figureRow('total', summary).map((text): Cell => ({ text, style: 'bold' })),
  ]
  const notes = unpricedNote(summary)
  return `${table(rows, output.paint(), output.width)}${notes === '' ? '' : `\n${notes}\n`}`
}

function byName([a]: [string, CostFigures], [b]: [string, CostFigures]): number {
  return a < b ? -1 : 1
}

function byCost([, a]: [string, CostFigures], [, b]: [string, CostFigures]): number {
  return (b.totalUsd ?? -1) - (a.totalUsd ?? -1) || b.inputTokens + b.outputTokens - (a.inputTokens + a.outputTokens)
}

function figureRow(name: string, figures: CostFigures): string[] {
  const { sessionCount, inputTokens, outputTokens, cacheReadTokens } = figures
  const counts = [inputTokens, cacheReadTokens, outputTokens].map(formatCount)
  return [name, String(sessionCount), ...counts, formatUsd(figures)]
}

/** A sum that leaves something out says so. */
function formatUsd({ totalUsd, source, unpricedTokens }: CostFigures): string {
  if (totalUsd === null) return 'unpriced'
  const cost = formatCost({ totalUsd, source: source === 'estimated' ? 'price-table' : 'agent' })
  return `${unpricedTokens > 0 ? '>' : ''}${cost}`
}

function unpricedNote({ unpricedTokens, unpricedModels }: CostSummary): string {
  if (unpricedTokens === 0) return ''
  const names = unpricedModels.slice(0, 8).join(', ')
  return `Unpriced: ${formatCount(unpricedTokens)} tokens of ${names}. \`amux models --help\` tells how to give prices.`
}
