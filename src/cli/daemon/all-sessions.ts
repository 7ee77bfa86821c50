import type { ManagedSession } from '../../contract/api/managed-session.ts'
import type { SessionSummary } from '../../contract/sessions.ts'
import type { Output } from '../output.ts'
import { shortIds, tilde } from '../sessions/table.ts'
import type { Cell } from '../table.ts'
import { formatCost, oneLine } from '../text.ts'
import { columnsFor, managedRow, type SessionRow, tableOf } from './session-text.ts'

/** A session that the daemon keeps, or a conversation that an agent keeps and the daemon does not. */
export type AnySession = ({ kind: 'managed' } & ManagedSession) | ({ kind: 'transcript' } & SessionSummary)

/** Both kinds, the newest first. A conversation of a managed session is that session, once. */
export function together(managed: readonly ManagedSession[], transcripts: readonly SessionSummary[]): AnySession[] {
  const others = transcripts.filter((one) => one.managed === undefined)
  const all: AnySession[] = [
    ...managed.map((one) => ({ kind: 'managed' as const, ...one })),
    ...others.map((one) => ({ kind: 'transcript' as const, ...one })),
  ]
  return all.toSorted((a, b) => b.updatedAt - a.updatedAt)
}

export function allTable(sessions: readonly AnySession[], output: Output, now: number): string {
  const transcripts = sessions.filter((one) => one.kind === 'transcript')
  const ids = new Map(shortIds(transcripts).map((id, i) => [transcripts[i], id]))
  const rows = sessions.map(
    (one): SessionRow =>
      one.kind === 'managed' ? managedRow(one, now) : transcriptRow(one, ids.get(one) ?? one.unifiedId),
  )
  return tableOf(rows, columnsFor(output.width), output, now)
}

function transcriptRow(session: SessionSummary, id: string): SessionRow {
  const { agent, updatedAt, cost, title, cwd, unifiedId } = session
  const state: Cell = { text: 'ended', style: 'dim' }
  return {
    name: id,
    agent,
    state,
    at: updatedAt,
    cost: formatCost(cost ?? null),
    why: undefined,
    where: cwd && tilde(cwd),
    title: oneLine(title) || '(no title)',
    id: unifiedId,
  }
}
