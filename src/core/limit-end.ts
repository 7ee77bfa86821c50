import type { TurnFailure } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { Outcome } from '../contract/outcome.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** By the first letters of a unit; the longer ones first. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|mil)/i, 1],
  [/^w/i, 7 * DAY],
  [/^d/i, DAY],
  [/^h/i, HOUR],
  [/^m/i, MINUTE],
]
const UNIT = '(?:ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hrs?|hours?|d|days?|w|weeks?)(?![a-z])'
const AMOUNT = `\\d+(?:\\.\\d+)?`
const WAIT = new RegExp(
  `\\b(?:retry|try again|retry[- ]?after|retry[- ]?delay|resets?|available again)\\b["':=]*\\s*(?:after|in)?\\s*["':=]*` +
    `(?:about |~ ?)?(${AMOUNT}(?:\\s*${UNIT}(?:,?\\s*(?:and )?${AMOUNT}\\s*${UNIT})*)?)(?![\\d:.]*\\d|\\s*[ap]\\.?m\\b|/)`,
  'i',
)

/** How long to wait, in words as "try again in 5 hours". A number without a unit after "retry" counts seconds. */
export function waitIn(words: string): number | undefined {
  const match = WAIT.exec(words)
  if (match?.[1] === undefined) return undefined
  const pieces = [...match[1].matchAll(new RegExp(`(${AMOUNT})\\s*(${UNIT})?`, 'gi'))]
  // "resets 5" is not a time at all.
  if (pieces[0]?.[2] === undefined && /^reset|^available/i.test(match[0])) return undefined
  const total = pieces.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * lengthOf(unit), 0)
  return Math.round(total)
}

function lengthOf(unit: string): number {
  return UNITS.find(([name]) => name.test(unit))?.[1] ?? SECOND
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const ZONES: Readonly<Record<string, string>> = { p: 'America/Los_Angeles', e: 'America/New_York' }

const BEGIN = /\b(?:resets?|try again|retry|available again)\b:?\s*(?:at|on|after)?\s*/gi
const DATE = `(?:(?<tomorrow>tomorrow)|(?<weekday>${DAYS.join('|')})(?:s|nes|rs|ur)?(?:day)?\\b|(?<month>${MONTHS.join('|')})[a-z]*\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?)`
const TIME =
  '(?:(?<hour>\\d{1,2})(?::(?<minute>\\d\\d))?(?::\\d\\d)?(?:\\s*(?<half>[ap])\\.?m\\b\\.?)?|(?<name>midnight|noon))'
const ZONE =
  '(?:\\s*\\(?(?:(?<area>[A-Z][A-Za-z]+/[A-Za-z_/+-]+)|(?<utc>UTC|GMT|Z)\\b|(?<us>[PE])(?:[SD]?T\\b|acific|astern)))?'
const WHEN = new RegExp(`^(?:${DATE}(?:,| at|, at)?\\s*)?(?:${TIME}${ZONE})?`, 'i')
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/
/** Claude Code 1: "Claude AI usage limit reached|1736467200". */
const STAMP = /limit reached\|(\d{10})\b/

/**
 * When a limit is over, read from text: "resets 8:40pm", "try again at Nov 20th, 2026 8:10 PM", "resets
 * 3am (Europe/Vienna)", "try again in 5 hours". A time of day is the next such time, in the zone that is named or the
 * local one.
 */
export function limitEndIn(words: string, now: number): number | undefined {
  const stamp = STAMP.exec(words)?.[1]
  if (stamp !== undefined) return Number(stamp) * SECOND
  const wait = waitIn(words)
  if (wait !== undefined) return now + wait
  for (const begin of words.matchAll(BEGIN)) {
    const rest = words.slice(begin.index + begin[0].length)
    const iso = Date.parse(ISO.exec(rest)?.[0] ?? '')
    const end = Number.isNaN(iso) ? timeOf(WHEN.exec(rest)?.groups ?? {}, now) : iso
    if (end !== undefined) return end
  }
  return undefined
}

type Groups = Readonly<Record<string, string | undefined>>

function timeOf(match: Groups, now: number): number | undefined {
  const hour = hourOf(match)
  const isDated = match.tomorrow !== undefined || match.weekday !== undefined || match.month !== undefined
  if (hour === null || (hour === undefined && !isDated)) return undefined
  const zone = match.area ?? (match.utc === undefined ? ZONES[match.us?.toLowerCase() ?? ''] : 'UTC')
  const wall = wallClock(zone)
  if (wall === null) return undefined
  const today = new Date(wall.at(now))
  const on = (year: number, month: number, day: number) =>
    wall.instant(Date.UTC(year, month, day, hour ?? 0, Number(match.minute ?? 0)))
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  if (match.month !== undefined) {
    const named = MONTHS.indexOf(match.month.toLowerCase())
    const end = on(Number(match.year ?? year), named, Number(match.day))
    return match.year === undefined && end < now - DAY ? on(year + 1, named, Number(match.day)) : end
  }
  if (match.tomorrow !== undefined) return on(year, month, day + 1)
  if (match.weekday !== undefined) {
    const ahead = (DAYS.indexOf(match.weekday.toLowerCase()) - today.getUTCDay() + 7) % 7
    const end = on(year, month, day + ahead)
    return end < now - MINUTE ? on(year, month, day + ahead + 7) : end
  }
  const end = on(year, month, day)
  // The minute that is reported may have begun.
  return end < now - MINUTE ? on(year, month, day + 1) : end
}

/** Undefined: there is none. Null: what is there is not a time of day. */
function hourOf({ hour, minute, half, name }: Groups): number | null | undefined {
  if (name !== undefined) return name.toLowerCase() === 'noon' ? 12 : 0
  if (hour === undefined) return undefined
  const match = Number(hour)
  if (half === undefined) return minute === undefined || match > 23 || Number(minute) > 59 ? null : match
  if (match < 1 || match > 12 || Number(minute ?? 0) > 59) return null
  return (match % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

/** Between instants and what clocks show in a zone, as if that were UTC. Null: nobody knows the zone. */
function wallClock(zone: string | undefined) {
  const offset = offsetIn(zone)
  if (offset === null) return null
  return {
    at: (instant: number) => instant + offset(instant),
    instant(wall: number): number {
      const guess = wall - offset(wall)
      return wall - offset(guess)
    },
  }
}

function offsetIn(zone: string | undefined): ((instant: number) => number) | null {
  if (zone === undefined) return (instant) => -new Date(instant).getTimezoneOffset() * MINUTE
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    return (instant) =>
      Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant / SECOND) * SECOND
  } catch {
    return null
  }
}

/** Says when a limit is over where its words do. What is known already is kept. */
export function datedOutcome(outcome: Outcome, now: number): Outcome {
  if (outcome.kind === 'quota_exhausted' && outcome.resetAt === undefined) {
    const resetAt = limitEndIn(outcome.evidence, now)
    return resetAt === undefined ? outcome : { ...outcome, resetAt }
  }
  if (outcome.kind !== 'rate_limited' || outcome.retryAfterMs !== undefined) return outcome
  const retryAfterMs = waitUntil(outcome.evidence, now)
  return retryAfterMs === undefined ? outcome : { ...outcome, retryAfterMs }
}

export function datedFailure(failure: TurnFailure, now: number): TurnFailure {
  const outcome = datedOutcome(failure.outcome, now)
  return outcome === failure.outcome ? failure : { ...failure, outcome }
}

export function datedDraft(draft: AgentEventDraft, now: number): AgentEventDraft {
  if (draft.type !== 'rate_limit_error' || draft.retryAfterMs !== undefined) return draft
  const retryAfterMs = waitUntil(draft.message, now)
  return retryAfterMs === undefined ? draft : { ...draft, retryAfterMs }
}

function waitUntil(words: string, now: number): number | undefined {
  const end = limitEndIn(words, now)
  return end === undefined ? undefined : Math.max(0, end - now)
}
