import { ValidationError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { Moment, SessionFilter, SessionListOptions } from '../contract/session-manager.ts'
import { readTime } from '../core/read-time.ts'

/** One object, or the agent before it. */
export function listOptions(
  first: AgentName | null | SessionListOptions | undefined,
  options: SessionListOptions = {},
): SessionListOptions {
  if (typeof first === 'object' && first !== null) return first
  return typeof first === 'string' ? { ...options, agent: first } : options
}

/** With its times as numbers. Throws for one that is none. */
export function atTimes<Query extends SessionFilter>(
  query: Query,
): Omit<Query, 'since' | 'until'> & SessionFilter<number> {
  const { since, until, ...rest } = query
  const now = Date.now()
  return {
    ...rest,
    ...(since === undefined ? {} : { since: timeOf('since', since, now) }),
    ...(until === undefined ? {} : { until: timeOf('until', until, now, true) }),
  }
}

function timeOf(field: string, value: Moment, now: number, end = false): number {
  const at = typeof value === 'string' ? readTime(value, now, end) : Number(value)
  if (at !== null && !Number.isNaN(at)) return at
  const expected = 'a Date, epoch milliseconds, or a time such as 7d or 2026-11-01'
  throw new ValidationError([{ field, message: `must be ${expected}`, received: value, expected }])
}
