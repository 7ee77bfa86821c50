import { AgentMuxError } from '../../contract/errors.ts'
import type { Continuation, SessionManager } from '../../contract/session-manager.ts'
import type { SessionSummary } from '../../contract/sessions.ts'
import { visible } from '../terminal-text.ts'
import { oneLine, truncate } from '../text.ts'
import { formatAge } from '../times.ts'
import { shortIds } from './table.ts'

const MOST = 200
const SHOWN = 12

/** Lets the user choose one of these on the terminal, by typing a part of it. */
export async function pickSession(
  sessions: readonly SessionSummary[],
  message: string,
  width: number,
): Promise<SessionSummary> {
  const { autocomplete, isCancel } = await import('@clack/prompts')
  const ids = shortIds(sessions)
  const now = Date.now()
  const choice = await autocomplete({
    message: visible(message),
    maxItems: SHOWN,
    placeholder: 'type to search',
    options: sessions.map((session, i) => ({
      value: session,
      label: truncate(visible(oneLine(session.title)) || '(no title)', Math.max(20, width - 45)),
      hint: `${ids[i]} · ${formatAge(session.updatedAt, now)}`,
    })),
    filter: (search, { value }) => textOf(value).includes(search.toLowerCase()),
  })
  if (isCancel(choice)) throw new AgentMuxError('ABORTED', 'No session was chosen')
  return choice
}

function textOf({ title, unifiedId, cwd = '', model = '' }: SessionSummary): string {
  return `${title} ${unifiedId} ${cwd} ${model}`.toLowerCase()
}

/** Those that can be gone on with, the newest first. */
export async function resumableSessions(
  sessions: Pick<SessionManager, 'list' | 'resumableAll'>,
  agent: string | undefined,
  how: Continuation,
): Promise<SessionSummary[]> {
  const all = await sessions.list(agent, { limit: MOST })
  const checked = await sessions.resumableAll(all, how)
  return all.filter((_session, i) => checked[i]?.resumable === true)
}
