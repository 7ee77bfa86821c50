const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY, mo: 30 * DAY }

const AGO = /^(\d+(?:\.\d+)?)\s*(s|m|h|d|w|mo)$/
const DAY_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/

/** In the user's own time zone. */
export function formatDay(at: number): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * A time in the past: `7d`, `12h`, `2w`, `today`, `yesterday`, a day or an ISO time. A day is one of the user's own
 * time zone; `end` takes its last moment. Null for anything else.
 */
export function readTime(value: string, now: number, end = false): number | null {
  const text = value.trim().toLowerCase()
  const ago = AGO.exec(text)
  const unit = UNITS[ago?.[2] ?? '']
  if (ago && unit !== undefined) return now - Number(ago[1]) * unit
  const today = new Date(now)
  if (text === 'now') return now
  if (text === 'today') return dayOf(today.getFullYear(), today.getMonth(), today.getDate(), end)
  if (text === 'yesterday') return dayOf(today.getFullYear(), today.getMonth(), today.getDate() - 1, end)
  const day = DAY_ONLY.exec(text)
  if (day) {
    const at = dayOf(Number(day[1]), Number(day[2]) - 1, Number(day[3]), end)
    return formatDay(at) === text ? at : null
  }
  const at = /^\d{4}-\d{2}-\d{2}t/.test(text) ? Date.parse(value.trim()) : Number.NaN
  return Number.isNaN(at) ? null : at
}

function dayOf(year: number, month: number, day: number, end: boolean): number {
  return end ? new Date(year, month, day + 1).getTime() - 1 : new Date(year, month, day).getTime()
}
