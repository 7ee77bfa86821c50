import type { Attention, ManagedSession, NotificationKind } from '../../contract/api/managed-session.ts'
import type { Outcome, OutcomeKind } from '../../contract/outcome.ts'

/** What the end of a turn or a launch is to a person. Total: a new outcome does not compile until it has a kind. */
const KINDS: Record<OutcomeKind, NotificationKind> = {
  completed: 'finished',
  permission_blocked: 'failed',
  question_unanswered: 'failed',
  auth_required: 'failed',
  quota_exhausted: 'limited',
  rate_limited: 'limited',
  context_exhausted: 'failed',
  turn_limit: 'failed',
  budget_exceeded: 'failed',
  output_invalid: 'failed',
  cancelled: 'interrupted',
  timed_out: 'failed',
  crashed: 'failed',
  protocol_drift: 'failed',
  failed: 'failed',
}

export function kindOfOutcome({ kind }: Outcome): NotificationKind {
  return KINDS[kind]
}

/** `quota_exhausted: Credit balance is too low`. */
export function outcomeText({ kind, evidence }: Outcome): string {
  return evidence === undefined || evidence === '' ? kind : `${kind}: ${evidence}`
}

type Limit = ManagedSession['limit']

/** Why a live agent rests. */
export function restText(outcome: Outcome, limit: Limit): string {
  const kind = kindOfOutcome(outcome)
  if (kind === 'finished') return 'its turn is over'
  if (kind === 'interrupted') return 'its turn was interrupted'
  if (kind === 'limited') return limitText(outcome, limit)
  return `its turn failed: ${outcomeText(outcome)}`
}

export function limitText(outcome: Outcome | null, limit: Limit): string {
  const why = outcome === null ? (limit?.why ?? 'a limit was reached') : outcomeText(outcome)
  const text =
    limit?.until == null ? `at its limit: ${why}` : `limited until ${new Date(limit.until).toISOString()}: ${why}`
  return limit?.needs === undefined ? text : `${text}; ${limit.needs}`
}

/** What a person should know of a session, or do about it; null: nothing. */
export function attentionOf(
  session: Pick<ManagedSession, 'activity' | 'isLive' | 'outcome' | 'turn' | 'limit' | 'pending'>,
): Attention | null {
  const { activity, isLive, turn, limit, pending } = session
  const { state, why } = activity
  const [asked] = pending
  if (state === 'blocked') return { kind: 'blocked', message: asked?.description ?? why, until: null }
  if (state === 'waiting_input') return { kind: 'waiting', message: asked?.description ?? why, until: null }
  const outcome = isLive ? (state === 'idle' ? (turn?.outcome ?? null) : null) : session.outcome
  if (outcome === null) return null
  const kind = kindOfOutcome(outcome)
  if (kind !== 'failed' && kind !== 'limited') return null
  if (kind === 'failed') return { kind, message: outcomeText(outcome), until: null }
  // What to do comes first: a list has little room.
  const message = limit?.needs === undefined ? outcomeText(outcome) : `${limit.needs} (${outcomeText(outcome)})`
  return { kind, message, until: limit?.until ?? null }
}
