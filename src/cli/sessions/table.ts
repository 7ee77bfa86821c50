import { homedir } from 'node:os'
import { basename } from 'node:path'
import type { SessionSummary } from '../../contract/sessions.ts'
import type { Output } from '../output.ts'
import { type Cell, table } from '../table.ts'
import { formatCost, oneLine } from '../text.ts'
import { formatAge } from '../times.ts'

const SHORTEST_ID = 8

/** As much of each unified id as distinguishes it from the others. */
export function shortIds(sessions: readonly { agent: string; sessionId: string }[]): string[] {
  return sessions.map(({ agent, sessionId }) => {
    const others = sessions.filter((one) => one.agent === agent && one.sessionId !== sessionId)
    let length = SHORTEST_ID
    while (length < sessionId.length && others.some((one) => one.sessionId.startsWith(sessionId.slice(0, length)))) {
      length += 1
    }
    return `${agent}:${sessionId.slice(0, length)}`
  })
}

interface Column {
  title: string
  /** Only in a terminal that is at least so wide. */
  from: number
  align?: 'right'
  cell(session: SessionSummary, id: string, now: number): string | Cell
}

const COLUMNS: readonly Column[] = [
  { title: 'ID', from: 0, cell: (_session, id) => ({ text: id, style: 'cyan', whole: true }) },
  { title: 'UPDATED', from: 0, cell: ({ updatedAt }, _id, now) => formatAge(updatedAt, now) },
  { title: 'TITLE', from: 0, cell: (session) => titleOf(session) },
  { title: 'PROJECT', from: 80, cell: ({ cwd }) => projectName(cwd) },
  { title: 'MODEL', from: 100, cell: ({ model }) => model ?? '-' },
  { title: 'TURNS', from: 70, cell: ({ turnCount }) => String(turnCount), align: 'right' },
]

const COST: Column = { title: 'COST', from: 60, cell: ({ cost }) => formatCost(cost ?? null), align: 'right' }

/** Sessions as a table that fits the terminal: a narrow one has fewer columns. Costs are shown when they are known. */
export function sessionTable(sessions: readonly SessionSummary[], output: Output, now: number): string {
  const hasCost = sessions.some(({ cost, costSource }) => (cost ?? costSource) !== undefined)
  const columns = [...COLUMNS, ...(hasCost ? [COST] : [])].filter(({ from }) => output.width >= from)
  const ids = shortIds(sessions)
  const header = columns.map(({ title, align }): Cell => ({ text: title, style: 'bold', align }))
  const rows = sessions.map((session, i) =>
    columns.map(({ cell, align }): Cell => {
      const content = cell(session, ids[i] ?? '', now)
      return typeof content === 'string' ? { text: content, align } : content
    }),
  )
  return table([header, ...rows], output.paint(), output.width)
}

/** A session that was made from another is marked. */
function titleOf({ title, forkedFrom, continuedFrom }: SessionSummary): string {
  const mark = forkedFrom !== undefined || continuedFrom !== undefined ? '↳ ' : ''
  return `${mark}${oneLine(title) || '(no title)'}`
}

function projectName(cwd: string | undefined): string {
  return cwd === undefined ? '-' : basename(cwd) || cwd
}

/** With `~` for the home of the user. */
export function tilde(path: string): string {
  const home = process.env.HOME ?? homedir()
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
