import type { Notification, NotificationKind } from '../../contract/api/change.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { type SessionRecord, viewOf } from './record.ts'

const BUSY: ReadonlySet<string> = new Set(['active', 'blocked', 'waiting_input'])

/** Whether a change of a session is one that a person wants to hear of. Pure. */
export function notificationOf(before: SessionRecord, after: SessionRecord): Notification | null {
  const [then, now] = [viewOf(before), viewOf(after)]
  const found = kindOf(then, now, after.lastError)
  if (found === null) return null
  const [kind, message] = found
  const { id: sessionId, launch, agent, title, updatedAt: at } = now
  return { sessionId, launch, kind, agent, title, message, at }
}

function kindOf(then: ManagedSession, now: ManagedSession, error: string | null): [NotificationKind, string] | null {
  const isNew = then.activity.state !== now.activity.state || then.launch !== now.launch
  const asked = now.pending.find(({ id }) => !then.pending.some((one) => one.id === id))
  const { state, why } = now.activity
  if (state === 'blocked' && (isNew || asked)) return ['blocked', asked?.description ?? why]
  if (state === 'waiting_input' && (isNew || asked)) return ['waiting', asked?.description ?? why]
  if (state === 'exited' && then.isLive && !now.isLive) return endOf(then, now)
  // A short turn begins and ends between two looks; a terminal counts no turns.
  const hasWorked = now.usage.turns > then.usage.turns || (isNew && BUSY.has(then.activity.state))
  if (state === 'idle' && hasWorked) {
    return error === null ? ['finished', now.summary ?? why] : ['failed', error]
  }
  return null
}

function endOf(then: ManagedSession, { outcome, summary }: ManagedSession): [NotificationKind, string] | null {
  const kind = outcome?.kind ?? 'crashed'
  // Whoever ended it knows.
  if (kind === 'cancelled') return null
  if (kind !== 'completed') return ['failed', `${kind}: ${outcome?.evidence ?? 'it ended unexpectedly'}`]
  // The end of its last turn was told already.
  return then.activity.state === 'idle' ? null : ['finished', summary ?? 'It has finished']
}
