import { EVIDENCE_SOURCES, type Fact } from '../../contract/activity.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { judge } from '../../core/evidence.ts'
import type { SessionRecord } from './record.ts'
import { beginTurn, COMPLETED, endTurn, outcomeOfSign, type Turn } from './turn.ts'

/** The name of dialogs before an agent can be given anything: trust in a directory, a sign-in. */
const SETUP = 'setup'
const BUSY: ReadonlySet<string> = new Set(['active', 'blocked', 'waiting_input'])

/**
 * The turn of a terminal after a fact. A terminal has no stream that says where a turn begins and ends: it is under way
 * while the agent is busy. One that goes on before its end was notified had not ended.
 */
export function followTerminalTurn(session: SessionRecord, fact: Fact): void {
  const { state, at } = judge(session.evidence)
  const turn = noteEnd(wasStart(session.turn ?? null, fact) ? null : (session.turn ?? null), fact)
  session.turn = turn
  const moment = at ?? fact.at
  if (state === 'idle' && turn && turn.endedAt === null) {
    session.turn = { ...endTurn(turn, moment, COMPLETED), endedBy: turn.endedBy }
    session.turn.outcome = terminalOutcome(session)
  } else if (state === 'idle' && turn && !turn.isNotified) {
    session.turn = { ...turn, outcome: terminalOutcome(session) } // another source may know more
  } else if (BUSY.has(state) && !(turn === null && fact.dialog === SETUP) && !isPast(turn, moment)) {
    const isNext = fact.begins === true && fact.at > (turn?.startedAt ?? 0)
    const known = isNext && turn?.endedAt === null ? endedBefore(session, turn, fact.at) : turn
    if (known === null || known.isNotified || (isNext && looksLikeStart(known)))
      session.turn = { ...beginTurn(moment), ...promptedBy(fact) }
    else if (isNext && known.endedAt !== null) {
      const { summary = null } = session.metadata
      const end = { outcome: known.outcome ?? COMPLETED, endedAt: known.endedAt, summary }
      session.unnotified = [...(session.unnotified ?? []), end]
      session.turn = { ...beginTurn(fact.at), ...promptedBy(fact) }
    } else {
      const endedBy = stillEnded(known, fact)
      session.turn = { ...known, ...promptedBy(fact), endedAt: null, outcome: null, endedBy }
    }
    // What goes on is at no limit.
    session.limit = null
  }
}

/** A transcript that is read late shows the prompt of a turn whose end was already notified. */
function isPast(turn: Turn | null, at: number): boolean {
  return turn?.isNotified === true && turn.endedAt !== null && at <= turn.endedAt
}

function promptedBy({ begins }: Fact): Pick<Turn, 'isPrompted'> {
  return begins ? { isPrompted: true } : {}
}

/**
 * While it starts, a screen looks as if a turn were under way, or asks before it starts. The hook of a new session then
 * looks like the end of that turn.
 */
function wasStart(turn: Turn | null, { isNewSession }: Fact): boolean {
  return isNewSession === true && turn !== null && !turn.isNotified && turn.isPrompted !== true
}

/** A turn that no prompt has begun, and of which nothing says how it ended. */
export function looksLikeStart({ isPrompted, endedBy }: Turn): boolean {
  return isPrompted !== true && endedBy === undefined
}

/** A prompt that comes after an interrupt, or after a sign of the end, begins a turn of its own, believed or not. */
function endedBefore(session: SessionRecord, turn: Turn, at: number): Turn {
  const { interruptedAt = 0 } = session
  const wasInterrupted = interruptedAt >= turn.startedAt && interruptedAt < at
  const wasSeen = turn.endedBy !== undefined && turn.endedBy.at < at
  if (!wasInterrupted && !wasSeen) return turn
  return { ...turn, endedAt: turn.endedBy?.at ?? interruptedAt, outcome: terminalOutcome(session) }
}

/** A less trusted source that has seen the end is believed only later; an agent that works on has not ended. */
function stillEnded({ endedBy }: Turn, { state, at }: Fact): Fact | undefined {
  return endedBy && BUSY.has(state) && at > endedBy.at ? undefined : endedBy
}

function terminalOutcome({ turn, interruptedAt = 0 }: SessionRecord): Outcome {
  if (interruptedAt >= (turn?.startedAt ?? 0)) return { kind: 'cancelled', evidence: 'interrupted by the caller' }
  return turn?.endedBy ? outcomeOfSign(turn.endedBy) : COMPLETED
}

/**
 * The turn with what this fact says about its end. Several hooks may report one end: the first how it ended, the last only
 * that it is over. So it is kept until the agent goes on.
 */
function noteEnd(turn: Turn | null, fact: Fact): Turn | null {
  if (turn === null || fact.ended === undefined || fact.at < turn.startedAt) return turn
  const known = turn.endedBy
  const isLess = known && EVIDENCE_SOURCES.indexOf(known.source) < EVIDENCE_SOURCES.indexOf(fact.source)
  return isLess ? turn : { ...turn, endedBy: fact }
}
