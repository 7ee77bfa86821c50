import { formatDay, readTime } from '../core/read-time.ts'
import { usageError } from './command.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, in one word or two; after a month the day itself. */
export function formatAge(at: number, now: number): string {
  const age = now - at
  if (age < MINUTE) return age < -MINUTE ? formatDay(at) : 'just now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m ago`
  if (age < DAY) return `${Math.floor(age / HOUR)}h ago`
  if (age < 30 * DAY) return `${Math.floor(age / DAY)}d ago`
  return formatDay(at)
}

export function formatTime(at: number): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${formatDay(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** A time in the past, as `readTime` takes it. */
export function parseTime(flag: string, value: string, now: number, end = false): number {
  const at = readTime(value, now, end)
  if (at === null) throw usageError(`${flag} must be a time such as 7d, 12h, yesterday or 2026-11-01, not "${value}"`)
  return at
}
