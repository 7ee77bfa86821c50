import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { type Cell, type Output, type Paint, type Style, table } from '../output.ts'
import { formatCost, formatCount, oneLine } from '../text.ts'

type State = ManagedSession['activity']['state']

const STYLES: Record<State, Style> = {
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

/** The word for people: how it ended is more than that it did. */
function statusOf({ activity, outcome }: ManagedSession): Cell {
  const { state } = activity
  if (state !== 'exited') return { text: state.replace('_', ' '), style: STYLES[state] }
  const kind = outcome?.kind ?? 'exited'
  const failed = kind !== 'completed' && kind !== 'cancelled'
  return { text: kind === 'completed' ? 'finished' : kind.replace('_', ' '), style: failed ? 'red' : 'dim' }
}

export function sessionTable(sessions: readonly ManagedSession[], output: Output, now: number): string {
  const header = ['ID', 'AGENT', 'STATE', 'AGE', 'COST', 'WHERE', 'TITLE'].map(
    (text): Cell => ({ text, style: 'bold' }),
  )
  const rows = sessions.map((one): (string | Cell)[] => [
    one.name ?? one.id,
    one.agent,
    statusOf(one),
    formatAge(now - (one.activity.since ?? one.updatedAt)),
    costOf(one),
    one.workspace.kind === 'worktree' ? one.workspace.branch : shortPath(one.workspace.path),
    oneLine(one.title ?? ''),
  ])
  return table([header, ...rows], output.paint(), output.width)
}

function costOf({ usage }: ManagedSession): string {
  if (usage.costUsd !== null) return formatCost({ totalUsd: usage.costUsd })
  return usage.unpricedTokens > 0 ? 'unpriced' : '-'
}

function shortPath(path: string): string {
  const home = process.env.HOME
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

export function sessionDetail(session: ManagedSession, output: Output, now: number): string {
  const paint = output.paint()
  const { activity, workspace, usage, pending } = session
  const status = statusOf(session)
  const age = formatAge(now - (activity.since ?? session.updatedAt))
  const source = activity.source === null ? '' : `, by its ${activity.source}`
  const state = `${status.text} for ${age}: ${oneLine(activity.why)}${source}`
  const rows: (string | Cell)[][] = [
    ['  mode', `${session.mode}, launch ${session.launch}`],
    ['  where', workspace.path],
    ...(workspace.kind === 'worktree' ? [['  branch', `${workspace.branch} of ${workspace.repository}`]] : []),
    ['  model', session.model ?? '-'],
    ['  session', session.agentSessionId ?? '-'],
    ['  usage', `${formatCount(usage.inputTokens)} in, ${formatCount(usage.outputTokens)} out, ${costOf(session)}`],
    ...(session.title ? [['  title', oneLine(session.title)]] : []),
    ...(session.summary ? [['  last', oneLine(session.summary)]] : []),
  ]
  const name = session.name === null ? '' : ` "${session.name}"`
  const title = `${paint('bold', session.id)}${name} (${session.agent})`
  // Why it is so is never cut off: it may be what the user has to act upon.
  const first = `  state    ${status.style === undefined ? state : paint(status.style, state)}`
  return [title, first, table(rows, paint, output.width).trimEnd(), ...pendingLines(pending, paint)].join('\n')
}

export function pendingLines(pending: ManagedSession['pending'], paint: Paint): string[] {
  return pending.map(({ id, type, description }) => {
    const what = type === 'approval' ? 'asks for a permission' : 'asks'
    return `  ${paint('yellow', '?')} ${what}: ${oneLine(description)} ${paint('dim', `(${id})`)}`
  })
}

/** One line after something was done to a session. */
export function sessionLine(session: ManagedSession): string {
  const { id, name, agent, activity } = session
  return `${name ?? id}  ${agent}  ${statusOf(session).text}: ${oneLine(activity.why)}`
}
