import { type Activity, EVIDENCE_SOURCES, type EvidenceSource, type Fact } from '../contract/activity.ts'

/** The last fact of a source, and since when it has said the same. */
interface Standing {
  fact: Fact
  since: number
}

/** All that has to be remembered of the facts of one launch. Plain data: it can be stored and read back. */
export interface Evidence {
  launch: number
  standing: Partial<Record<EvidenceSource, Standing>>
  /** Dialogs that a stream or a hook has reported and nothing has closed. */
  dialogs: Record<string, Fact>
  /** When each dialog was last known to be over. */
  closed: Record<string, number>
  /** The same for all of them at once. */
  allClosedAt: number
  /** The process is gone, and nothing of this launch is true any more. */
  ended: Fact | null
}

/**
 * How much later a less trusted source must speak to be believed against a more trusted one. So trust settles a
 * disagreement about one moment, and a hook that got lost does not leave a session "active" for days.
 */
const PATIENCE_MS: Record<EvidenceSource, number> = {
  protocol: 0,
  hook: 0,
  transcript: 5_000,
  // A screen is reported again when it has not changed for this long.
  screen: 10_000,
  // A process that lives may do anything.
  process: Number.POSITIVE_INFINITY,
}

const WORDS: Record<Fact['state'], string> = {
  spawning: 'it was started and has not been heard of yet',
  idle: 'its turn is over',
  active: 'it is at work',
  waiting_input: 'it has asked something',
  blocked: 'it asks for a permission',
  exited: 'its process is gone',
  unknown: 'nothing has been heard of it',
}

const DIALOG = 'dialog'

export function noEvidence(launch: number): Evidence {
  return { launch, standing: {}, dialogs: {}, closed: {}, allClosedAt: 0, ended: null }
}

/** The facts may come in any order: only when they were true counts. */
export function addFact(evidence: Evidence, fact: Fact): Evidence {
  if (fact.launch < evidence.launch) return evidence
  const before = fact.launch > evidence.launch ? noEvidence(fact.launch) : evidence
  if (before.ended) return before
  if (fact.state === 'exited' && isDecisive(fact)) return { ...before, ended: fact }
  return { ...before, ...withDialogs(before, fact), standing: withStanding(before, fact) }
}

export function judge(evidence: Evidence): Activity {
  const { launch, ended } = evidence
  if (ended) return activity(launch, ended, ended.at)
  const [dialog] = openDialogs(evidence)
  if (dialog) return activity(launch, dialog, dialog.at)
  let best: Standing | null = null
  for (const source of EVIDENCE_SOURCES) {
    const next = evidence.standing[source]
    if (!next || next.fact.state === 'unknown' || next.fact.state === 'blocked') continue
    if (best === null || overrides(next.fact, best.fact)) best = next
  }
  if (best) return activity(launch, best.fact, best.since)
  return { state: 'unknown', launch, why: WORDS.unknown, source: null, at: null, since: null }
}

/** How old the fact is on which a judgement rests; null when there is none. */
export function ageOf({ at }: Activity, now: number): number | null {
  return at === null ? null : Math.max(0, now - at)
}

function activity(launch: number, { state, detail, source, at }: Fact, since: number): Activity {
  return { state, launch, why: detail ?? WORDS[state], source, at, since }
}

// An agent that says goodbye by a hook may only have cleared its conversation.
function isDecisive({ source }: Fact): boolean {
  return source === 'process' || source === 'protocol'
}

/** They report changes; the others are polled, so only their last fact counts. */
function reportsChanges(source: EvidenceSource): boolean {
  return source === 'protocol' || source === 'hook'
}

function withStanding({ standing }: Evidence, fact: Fact): Evidence['standing'] {
  const known = standing[fact.source]
  // A look that failed does not take back what was seen before.
  if (fact.state === 'unknown' || (known && known.fact.at > fact.at)) return standing
  const since = known?.fact.state === fact.state ? known.since : fact.at
  return { ...standing, [fact.source]: { fact, since } }
}

/** Of facts with the same time the later one counts: a stream may report a new turn and its first dialog at once. */
function withDialogs(evidence: Evidence, fact: Fact): Pick<Evidence, 'dialogs' | 'closed' | 'allClosedAt'> {
  let { dialogs, closed, allClosedAt } = evidence
  if (fact.state === 'blocked' && reportsChanges(fact.source)) {
    const name = fact.dialog ?? DIALOG
    const known = Math.max(closed[name] ?? allClosedAt, dialogs[name]?.at ?? 0)
    if (fact.at >= known) dialogs = { ...dialogs, [name]: fact }
  }
  // No dialog outlives its turn.
  if (fact.closes === true || (fact.state === 'idle' && reportsChanges(fact.source))) {
    allClosedAt = Math.max(allClosedAt, fact.at)
    dialogs = pick(dialogs, ({ at }) => at > fact.at)
    closed = pick(closed, (at) => at > allClosedAt)
  } else if (fact.closes !== undefined) {
    const { closes } = fact
    closed = { ...closed, [closes]: Math.max(closed[closes] ?? allClosedAt, fact.at) }
    dialogs = pick(dialogs, ({ at }, name) => name !== closes || at > fact.at)
  }
  return { dialogs, closed, allClosedAt }
}

function pick<Value>(record: Record<string, Value>, keep: (value: Value, key: string) => boolean) {
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => keep(value, key)))
}

/** The oldest first: it is the one that the user has to answer. */
function openDialogs({ dialogs, standing, allClosedAt }: Evidence): Fact[] {
  const seen = EVIDENCE_SOURCES.filter((source) => !reportsChanges(source)).flatMap((source) => {
    const fact = standing[source]?.fact
    return fact?.state === 'blocked' && fact.at > allClosedAt ? [fact] : []
  })
  return [...Object.values(dialogs), ...seen].toSorted((a, b) => a.at - b.at)
}

/** Whether a less trusted source is to be believed because it speaks of a later moment. */
function overrides(less: Fact, more: Fact): boolean {
  // A protocol is complete: what it does not report has not happened.
  if (less.at <= more.at || more.source === 'protocol' || less.source === 'process') return false
  if (more.state === 'spawning') return true
  // Progress proves that the question was answered.
  if (more.state === 'waiting_input' && less.state === 'active') return true
  return less.at - more.at >= PATIENCE_MS[less.source]
}
