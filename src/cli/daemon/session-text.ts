import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { formatDay } from '../../core/read-time.ts'
import { type Output, type Paint, plain, type Style } from '../output.ts'
import { wrapWords } from '../run/text-flow.ts'
import { tilde } from '../sessions/table.ts'
import { type Cell, details, table } from '../table.ts'
import { formatCost, formatCount, oneLine, truncate } from '../text.ts'
import { formatTime } from '../times.ts'
import { answerCommands, answerLine, askedBy, askedLines } from './asked.ts'
import { callName } from './call-name.ts'

type State = ManagedSession['activity']['state']

const STYLES: Record<State, Style> = {
  queued: 'dim',
  parked: 'yellow',
  spawning: 'dim',
  active: 'cyan',
  idle: 'green',
  waiting_input: 'yellow',
  blocked: 'red',
  exited: 'dim',
  unknown: 'dim',
}

/** `5s`, `12m`, `3h`, `4d`: one unit is enough to know how old something is. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** `until 17:40`, with the day where it is another one. */
function untilText(until: number | null, now: number): string {
  if (until === null) return ''
  const at = formatTime(until)
  return ` until ${formatDay(until) === formatDay(now) ? at.slice(-5) : at}`
}

/** The word for people: how it ended is more than that it did, and what is wrong more than that it rests. */
function statusOf({ activity, outcome, attention, waiting }: ManagedSession, now = Date.now()): Cell {
  const { state } = activity
  if (waiting && state !== 'exited') {
    const detail = waiting.for === 'place' ? ` #${waiting.position}` : untilText(waiting.until, now)
    return { text: state + detail, style: STYLES[state] }
  }
  if (attention?.kind === 'limited') {
    const isOver = attention.until !== null && attention.until <= now
    return { text: isOver ? 'limit over' : `limited${untilText(attention.until, now)}`, style: 'yellow' }
  }
  if (attention?.kind === 'failed' && state !== 'exited') return { text: 'failed', style: 'red' }
  if (state !== 'exited') return { text: state.replace('_', ' '), style: STYLES[state] }
  const kind = outcome?.kind ?? 'exited'
  const failed = kind !== 'completed' && kind !== 'cancelled'
  return { text: kind === 'completed' ? 'finished' : kind.replace('_', ' '), style: failed ? 'red' : 'dim' }
}

/** What a list shows of a session. */
export interface SessionRow {
  name: string
  agent: string
  state: Cell
  /** Since when. */
  at: number
  cost: string
  /** Of a conversation that has ended, nothing is known. */
  why: string | undefined
  where: string | undefined
  title: string
  id: string
}

interface Column {
  title: string
  /** Only where there are at least so many columns. */
  from: number
  /** Only where there are fewer. */
  below?: number
  align?: 'right'
  optional?: true
  cell(row: SessionRow, now: number): string | Cell
}

const TITLE_FROM = 150

const COLUMNS: readonly Column[] = [
  { title: 'NAME', from: 0, cell: ({ name }) => ({ text: name, style: 'cyan', whole: true }) },
  { title: 'AGENT', from: 60, cell: ({ agent }) => agent },
  { title: 'STATE', from: 0, cell: ({ state }) => state },
  { title: 'AGE', from: 70, align: 'right', cell: ({ at }, now) => formatAge(now - at) },
  { title: 'COST', from: 80, align: 'right', cell: ({ cost }) => cost },
  { title: 'WHY', from: 36, below: TITLE_FROM, optional: true, cell: ({ why, title }) => why ?? title },
  { title: 'WHY', from: TITLE_FROM, optional: true, cell: ({ why }) => why ?? '-' },
  { title: 'WHERE', from: 120, cell: ({ where }) => where ?? '-' },
  { title: 'TITLE', from: TITLE_FROM, cell: ({ title }) => title },
  { title: 'ID', from: 180, cell: ({ id }) => ({ text: id, whole: true }) },
]

/** A narrow terminal has fewer columns. */
export function columnsFor(width: number): readonly Column[] {
  return COLUMNS.filter(({ from, below }) => width >= from && (below === undefined || width < below))
}

export function sessionTable(sessions: readonly ManagedSession[], output: Output, now: number): string {
  return tableOf(
    sessions.map((one) => managedRow(one, now)),
    columnsFor(output.width),
    output,
    now,
  )
}

export function tableOf(rows: readonly SessionRow[], columns: readonly Column[], output: Output, now: number): string {
  const header = columns.map(({ title, align, optional }): Cell => ({ text: title, style: 'bold', align, optional }))
  const cells = rows.map((row) =>
    columns.map(({ cell, align }): Cell => {
      const content = cell(row, now)
      return typeof content === 'string' ? { text: content, align } : content
    }),
  )
  return table([header, ...cells], output.paint(), output.width)
}

/** Why: what it asks for, else why it is as it is. */
export function managedRow(session: ManagedSession, now: number): SessionRow {
  const { id, agent, activity, attention, workspace, updatedAt } = session
  const path = tilde(workspace.path)
  return {
    ...{ name: callName(session), agent, state: statusOf(session, now), at: activity.since ?? updatedAt, id },
    cost: costOf(session),
    why: inPlace(attention?.message ?? activity.why, session),
    where: workspace.kind === 'worktree' ? workspace.branch : path,
    title: [pullRequestText(session), oneLine(session.title ?? '')].filter(Boolean).join(' '),
  }
}

/** On one line, with the files of its workspace as they are called there: a worktree has a long path. */
function inPlace(text: string, { workspace }: ManagedSession): string {
  return oneLine(text).replaceAll(`${workspace.path}/`, '')
}

function row(name: string, value: string): [string, string] {
  return [`  ${name}`, value]
}

function costOf({ usage }: ManagedSession): string {
  const { costUsd: totalUsd, isEstimated } = usage
  if (totalUsd !== null) return formatCost({ totalUsd, source: isEstimated ? 'price-table' : 'agent' })
  return usage.unpricedTokens > 0 ? 'unpriced' : '-'
}

export function sessionDetail(session: ManagedSession, output: Output, now: number, isWhole = false): string {
  const paint = output.paint()
  const { activity, workspace, usage } = session
  const status = statusOf(session, now)
  const age = formatAge(now - (activity.since ?? session.updatedAt))
  const source = activity.source === null ? '' : `, by its ${activity.source}`
  const state = `${status.text} for ${age}: ${inPlace(activity.why, session)}${source}`
  // An answer may be pages long.
  const short = (text: string) => truncate(oneLine(text), output.width * 2)
  const rows: [string, string | Cell][] = [
    ['  state', { text: state, style: status.style }],
    ['  mode', `${session.mode}, launch ${session.launch}`],
    ['  where', workspace.path],
    ...(workspace.kind === 'worktree' ? [row('branch', `${workspace.branch} of ${workspace.repository}`)] : []),
    ...gitRows(session),
    ['  model', session.model ?? '-'],
    ['  transcript', session.agentSessionId === null ? '-' : `${session.agent}:${session.agentSessionId}`],
    ['  usage', `${formatCount(usage.inputTokens)} in, ${formatCount(usage.outputTokens)} out, ${costOf(session)}`],
    ...(session.title ? [row('title', short(session.title))] : []),
    ...(session.summary ? [row('last', short(session.summary))] : []),
  ]
  const id = session.name === null ? '' : `${session.id}, `
  const title = `${paint('bold', callName(session))} (${id}${session.agent})`
  return [title, details(rows, paint, output.width).trimEnd(), ...askedText(session, paint, isWhole)].join('\n')
}

/** `#42`, the newest one. */
function pullRequestText({ git }: ManagedSession): string {
  const newest = git?.pullRequests.at(-1) // a daemon of an earlier version reports none
  return newest ? `#${newest.number}` : ''
}

function gitRows({ git }: ManagedSession): [string, string][] {
  if (!git) return []
  const [commit, count] = [git.commits.at(-1), git.commits.length]
  return [
    ...(git.branch === null ? [] : [row('on', git.branch)]),
    ...(commit ? [row('commits', `${count}, the last ${commit.hash} ${oneLine(commit.subject)}`)] : []),
    ...git.pullRequests.map(({ url, state }) => row('pull', `${oneLine(url)} (${state})`)),
  ]
}

/** What it waits for, and the commands that answer it. */
export function askedText(session: ManagedSession, paint: Paint, isWhole = false): string[] {
  const how = `amux show ${callName(session)} --full`
  return askedBy(session).flatMap((asked, index) => [
    ...askedLines(asked, session.agent, paint, { isWhole, how }),
    answerLine(answerCommands(asked, session, index === 0), paint),
  ])
}

/** One line after something was done to a session. */
export function sessionLine(session: ManagedSession, { width }: Pick<Output, 'width'>): string {
  const { agent, activity } = session
  const line = `${callName(session)}  ${agent}  ${statusOf(session).text}: ${inPlace(activity.why, session)}`
  return wrapWords(line, width, '  ', plain)
}
