import type { Notification } from '../../contract/api/change.ts'
import type { ManagedSession, NotificationKind } from '../../contract/api/managed-session.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { kindOfOutcome, limitText, outcomeText } from './attention.ts'
import { wasJustTold } from './limit.ts'
import { type SessionRecord, viewOf } from './record.ts'
import type { TurnEnd } from './turn.ts'

type Notice = [kind: NotificationKind, message: string, at?: number]

/**
 * What a person wants to know about a change, oldest first: the ends of turns that are still pending, each once and with its
 * true kind, a dialog or a question that is new, and the end of a launch where it is news. Pure. The code that writes the
 * notifications saves the session with `notifiedOf`, in the same step.
 */
export function notificationsOf(before: SessionRecord, after: SessionRecord): Notification[] {
  const [then, now] = [viewOf(before), viewOf(after)]
  const ends = (after.unnotified ?? []).map((end) => endOfTurn(end, now))
  const asked = askedOf(then, now)
  const ended = then.isLive && !now.isLive ? endOfLaunch(after, now) : null
  // A limit that is reached again and again is not news each time.
  const isNotified = ([kind, , at = after.updatedAt]: Notice) => kind === 'limited' && wasJustTold(after, at)
  const all = [...ends, ...(asked ? [asked] : []), ...(ended ? [ended] : [])].filter((notice) => !isNotified(notice))
  const { id: sessionId, launch, agent, title, updatedAt } = now
  return all.map(([kind, message, at = updatedAt]) => ({ sessionId, launch, kind, agent, title, message, at }))
}

/** The same session, with nothing left to notify. */
export function notifiedOf(session: SessionRecord, sent: readonly Notification[] = []): SessionRecord {
  const turn = session.turn && !session.isLive ? { ...session.turn, isNotified: true } : session.turn
  const limited = sent.findLast(({ kind }) => kind === 'limited')
  return { ...session, turn, unnotified: [], limitToldAt: limited?.at ?? session.limitToldAt }
}

function endOfTurn({ outcome, endedAt, summary }: TurnEnd, now: ManagedSession): Notice {
  return [kindOfOutcome(outcome), messageOf(outcome, summary, now), endedAt]
}

function messageOf(outcome: Outcome, summary: string | null, { limit }: ManagedSession): string {
  const kind = kindOfOutcome(outcome)
  if (kind === 'finished') return summary ?? 'its turn is over'
  if (kind === 'limited') return limitText(outcome, limit)
  return outcomeText(outcome)
}

function askedOf(then: ManagedSession, now: ManagedSession): Notice | null {
  const isNew = then.activity.state !== now.activity.state || then.launch !== now.launch
  const asked = now.pending.find(({ id }) => !then.pending.some((one) => one.id === id))
  const { state, why } = now.activity
  if (!isNew && !asked) return null
  if (state === 'blocked') return ['blocked', asked?.description ?? why]
  if (state === 'waiting_input') return ['waiting', asked?.description ?? why]
  return null
}

/** The end of a turn that was under way; otherwise only what is worse than the end of the last turn, which was already notified. */
function endOfLaunch({ turn }: SessionRecord, now: ManagedSession): Notice | null {
  const outcome: Outcome = now.outcome ?? { kind: 'crashed', evidence: 'it ended unexpectedly' }
  const isNews = kindOfOutcome(outcome) !== 'finished' && kindOfOutcome(outcome) !== 'interrupted'
  // The person who ended an idle agent knows.
  const isKnown = turn ? turn.isNotified && (!isNews || turn.outcome?.kind === outcome.kind) : !isNews
  return isKnown ? null : [kindOfOutcome(outcome), messageOf(outcome, now.summary, now)]
}
