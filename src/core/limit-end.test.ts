import { expect, test } from 'vitest'
import { limitEndIn, waitIn } from './limit-end.ts'

/** A Wednesday, 04:00 in UTC. */
const NOW = Date.UTC(2026, 10, 18, 4)
const HOUR = 3_600_000
const local = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()
const utc = (month: number, day: number, hour: number, minute = 0) => Date.UTC(2026, month - 1, day, hour, minute)

/** The next such time on the user's own clock. */
function next(hour: number, minute = 0): number {
  const today = new Date(NOW).getDate()
  return [today, today + 1].map((day) => local(day, hour, minute)).find((at) => at >= NOW) ?? 0
}

test.each<[string, number]>([
  ["You've hit your session limit · resets 8:40pm", next(20, 40)],
  ["You've hit your limit · resets at 3am", next(3)],
  ['Usage limit reached. It resets at 23:15.', next(23, 15)],
  ['purchase more credits or try again at 8:10 PM.', next(20, 10)],
  ['resets midnight', next(0)],
  ['Your limit will reset at 3pm (America/Santiago).', utc(11, 18, 18)],
  ['resets 3am (UTC)', utc(11, 19, 3)],
  ['resets at midnight Pacific time', utc(11, 18, 8)],
  ['resets Nov 21, 2am (Europe/Vienna)', utc(11, 21, 1)],
  ['try again at Dec 2nd, 2026 9:31 AM.', new Date(2026, 11, 2, 9, 31).getTime()],
  ['resets Jan 2 at 5am (UTC)', Date.UTC(2027, 0, 2, 5)],
  ['Weekly limit reached, resets Mon 9am (UTC)', utc(11, 23, 9)],
  ['resets tomorrow at 9:30 am GMT', utc(11, 19, 9, 30)],
  ['resets at 2026-11-18T20:40:00Z', utc(11, 18, 20, 40)],
  ['Claude AI usage limit reached|1795000000', 1_795_000_000_000],
  ['Please try again in 5 hours', NOW + 5 * HOUR],
  ['Try again in 1 day 2 hours and 30 minutes.', NOW + 26.5 * HOUR],
  ['quota exhausted, resets in 2h15m', NOW + 2.25 * HOUR],
  // The minute has begun: it is not a day away.
  ['resets 4am (UTC)', NOW],
])('%s', (words, end) => {
  expect(limitEndIn(words, NOW)).toBe(end)
  expect(limitEndIn(`${words} Error 429 at 12:30.`, NOW)).toBe(end)
})

test.each([
  'Please try again later.',
  'try again in a moment',
  'Connection reset by peer at 10:30',
  'It resets every 5 hours',
  'resets 5',
  'resets at 25:70',
  'resets 8:40pm (Nowhere/Town)',
  'The limit resets monthly',
])('no time: %s', (words) => {
  expect(limitEndIn(words, NOW)).toBeUndefined()
})

test('a time of day in the past of this zone is that of tomorrow, over a change of the clocks, too', () => {
  const eve = Date.parse('2026-03-28T21:00:00Z') // 22:00 in Vienna; the clocks go forward in the night
  expect(limitEndIn('resets 8am (Europe/Vienna)', eve)).toBe(Date.parse('2026-03-29T06:00:00Z'))
})

test.each([
  ['Please retry in 1.5s.', 1500],
  ['"retryDelay": "39s"', 39_000],
  ['retry-after: 20', 20_000],
  ['try again in 250ms', 250],
  ['Try again in 3 days', 72 * HOUR],
  ['try again at 8:10 PM', undefined],
  ['resets 8pm', undefined],
])('wait: %s', (words, ms) => {
  expect(waitIn(words)).toBe(ms)
})
