import type { RestorePlan } from '../../contract/api/schemas.ts'
import type { SessionRecord } from './record.ts'

/** Some providers say "in a second" for hours: from the second limit on, we wait longer each time. */
const SECOND_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 60 * 60_000
/** A limit that stays is notified again after this time. */
const NOTIFIED_AGAIN_MS = 60 * 60_000

/** How long a session waits at least after so many limits in a row. */
export function leastWait(count: number): number {
  return count < 2 ? 0 : Math.min(SECOND_WAIT_MS * 2 ** (count - 2), LONGEST_WAIT_MS)
}

/** A limit that a session meets again by itself is not news until then. */
export function wasJustTold({ mode, limitToldAt }: SessionRecord, at: number): boolean {
  return mode === 'headless' && limitToldAt !== undefined && at - limitToldAt < NOTIFIED_AGAIN_MS
}

type Limited = Pick<SessionRecord, 'limit' | 'limitsInARow'>

/** A session that has reached a limit at this moment. A turn reaches one limit, no matter how often it is reported. */
export function atLimit({ limit, limitsInARow = 0 }: Limited, until: number, why: string, at: number): Limited {
  const count = limit === null || limitsInARow === 0 ? limitsInARow + 1 : limitsInARow
  return { limit: { until: Math.max(until, at + leastWait(count)), why }, limitsInARow: count }
}

/** What a turn that went well, or a person who asks again, leaves of the limits before. */
export const NO_LIMITS = { limitsInARow: undefined, limitToldAt: undefined } satisfies Partial<SessionRecord>

const NOT_BY_ITSELF = 'it does not continue by itself'

type Named = Pick<SessionRecord, 'id' | 'name'>

/** What a person has to do when a conversation cannot be resumed where it was. */
export function needsRestore(session: Named, plan: Exclude<RestorePlan, { kind: 'native' }>): string {
  const command = `\`amux restore ${session.name ?? session.id}\``
  const next = {
    replay: `${command} gives what was said to a new conversation`,
    fresh: `${command} starts again with the first prompt`,
    impossible: `when that has changed, ${command} continues it`,
  }
  return `${NOT_BY_ITSELF}, because ${plan.why}: ${next[plan.kind]}`
}

/** The same when the restore was refused. */
export function needsMore({ message, hint }: { message: string; hint?: string }): string {
  return `${NOT_BY_ITSELF}. ${message}${hint === undefined ? '' : `. ${hint}`}`
}

/** The same when nobody tries. */
export function needsPerson({ id, name, mode, isLive }: SessionRecord): string {
  const what = name ?? id
  const then = isLive
    ? `\`amux ${mode === 'terminal' ? 'attach' : 'send'} ${what}\` continues it`
    : `\`amux restore ${what}\` brings it back`
  const why = mode === 'terminal' ? 'because it is a terminal' : 'because `resumeAfterLimit` is off'
  return `${NOT_BY_ITSELF}, ${why}: when the limit is over, ${then}`
}
