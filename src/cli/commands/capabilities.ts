import type { AgentCapabilities } from '../../contract/capabilities.ts'
import { AGENT_FLAG, defineCommand } from '../command.ts'
import { type Paint, widthOf } from '../output.ts'
import { type Cell, table } from '../table.ts'
import { displayWidth, truncate } from '../text.ts'

/** Lists are cut here, so that agents fit side by side; `--json` has all. */
const MAX_CELL = 36

/** Not abilities but data for other commands. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['agent', 'authFiles', 'installMethods', 'pluginRegistries', 'pluginInstallCmd', 'pluginListCmd'],
  ...['pluginUninstallCmd', 'pluginUpdateCmd', 'pluginSearchCmd', 'pluginMarketplaceUrl'],
])

export const command = defineCommand({
  usage: 'capabilities [agent…]',
  about: 'Every one of these is checked before an agent is started: what it cannot do is refused, never ignored.',
  flags: AGENT_FLAG,
  examples: ['amux capabilities', 'amux capabilities claude', 'amux capabilities codex --json'],
  async run({ args, flags }, { output, client }) {
    const { adapters } = await client(flags)
    const named = args.length > 0 ? args : flags.agent === undefined ? [] : [flags.agent]
    const agents = named.length > 0 ? named : adapters.list().map(({ agent }) => agent)
    const capabilities = agents.map((agent) => adapters.capabilities(agent))
    const data = Object.fromEntries(capabilities.map((one, index) => [agents[index], one]))
    output.result(
      named.length === 1 ? capabilities[0] : data,
      tables(agents, capabilities, output.paint(), widthOf(output.stdout)),
    )
    return 0
  },
})

/** As many agents side by side as fit, the others in further tables below. */
function tables(agents: string[], capabilities: AgentCapabilities[], paint: Paint, width: number): string {
  const names = [...new Set(capabilities.flatMap((one) => Object.keys(one)))].filter((name) => !LEFT_OUT.has(name))
  const labels: Cell[] = [{ text: 'CAPABILITY', style: 'bold' }, ...names.map((name) => ({ text: label(name) }))]
  const columns = capabilities.map((one, index): Cell[] => {
    const values = new Map<string, unknown>(Object.entries(one))
    return [{ text: agents[index] ?? '', style: 'bold' }, ...names.map((name) => valueCell(values.get(name)))]
  })
  const blocks: string[] = []
  let chunk: Cell[][] = [labels]
  for (const column of columns) {
    if (chunk.length > 1 && widthOfColumns([...chunk, column]) > width) {
      blocks.push(table(transpose(chunk), paint, width))
      chunk = [labels]
    }
    chunk.push(column)
  }
  return [...blocks, table(transpose(chunk), paint, width)].join('\n')
}

function widthOfColumns(columns: readonly Cell[][]): number {
  return columns.reduce((sum, column) => sum + 2 + Math.max(...column.map(({ text }) => displayWidth(text))), -2)
}

function transpose(columns: readonly Cell[][]): Cell[][] {
  return (columns[0] ?? []).map((_, row) => columns.map((column) => column[row] ?? { text: '' }))
}

/** `supportsThinkingBudgetTokens` → "thinking budget tokens". */
function label(name: string): string {
  return name
    .replace(/^(supports|can)(?=[A-Z])/, '')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .replace(/\b[A-Z][a-z]/g, (start) => start.toLowerCase())
}

function valueCell(value: unknown): Cell {
  if (value === true) return { text: 'yes', style: 'green' }
  if (value === false || value === undefined || value === null) return { text: 'no', style: 'dim' }
  if (Array.isArray(value))
    return value.length === 0 ? { text: 'none', style: 'dim' } : { text: truncate(value.join(' '), MAX_CELL) }
  if (typeof value === 'object') return { text: truncate(Object.keys(value).join(' '), MAX_CELL) }
  return { text: String(value) }
}
