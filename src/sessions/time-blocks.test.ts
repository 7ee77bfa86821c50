import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeBlocks } from './time-blocks.ts'

const HOUR = 3_600_000
const DAY = 20_000 * 24 * HOUR

test('a block begins with the full hour of its first request and lasts five hours', () => {
  const times = [0.5, 1, 5.1, 30.25].map((hours) => DAY + hours * HOUR)
  const blockOf = timeBlocks(times.toReversed())
  expect(times.map((at) => (blockOf(at) - DAY) / HOUR)).toEqual([0, 0, 5, 30])
})

test('every request is in one block, blocks never overlap, and none is empty', () => {
  const time = fc.integer({ min: 0, max: 60 * HOUR })
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 40 }), (times) => {
      const blockOf = timeBlocks(times)
      const starts = [...new Set(times.map(blockOf))].sort((a, b) => a - b)
      for (const at of times) expect(at - blockOf(at)).toBeGreaterThanOrEqual(0)
      for (const at of times) expect(at - blockOf(at)).toBeLessThan(5 * HOUR)
      for (const [i, start] of starts.entries())
        expect(start - (starts[i - 1] ?? -5 * HOUR)).toBeGreaterThanOrEqual(5 * HOUR)
    }),
  )
})
