import { describe, expect, test } from 'vitest'
import { formatDay } from '../core/read-time.ts'
import { formatAge, parseTime } from './times.ts'

const NOW = new Date(2026, 10, 15, 12, 30).getTime()
const DAY = 86_400_000

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1m ago'],
  [3_600_000, '1h ago'],
  [DAY, '1d ago'],
  [29 * DAY, '29d ago'],
  [40 * DAY, '2026-10-06'],
  [-2 * DAY, '2026-11-17'],
])('%i ms ago is %s', (ms, text) => {
  expect(formatAge(NOW - ms, NOW)).toBe(text)
})

describe('a time', () => {
  test.each([
    ['7d', NOW - 7 * DAY],
    ['1w', NOW - 7 * DAY],
    ['1.5h', NOW - 5_400_000],
    ['today', new Date(2026, 10, 15).getTime()],
    ['yesterday', new Date(2026, 10, 14).getTime()],
    ['2026-03-01', new Date(2026, 2, 1).getTime()],
    ['2026-03-01T10:00:00Z', Date.UTC(2026, 2, 1, 10)],
    ['now', NOW],
  ])('%s', (text, at) => {
    expect(parseTime('--since', text, NOW)).toBe(at)
  })

  test('a day until which ends with its last moment', () => {
    expect(parseTime('--until', '2026-03-01', NOW, true)).toBe(new Date(2026, 2, 2).getTime() - 1)
    expect(formatDay(parseTime('--until', 'today', NOW, true))).toBe('2026-11-15')
  })

  test.each(['', '7', 'd', '7y', '2026-13-01', '2026-02-30', 'soon', '2026-3-1'])('%j is none', (text) => {
    expect(() => parseTime('--since', text, NOW)).toThrow('--since must be a time such as')
  })
})
