import { expect, test } from 'vitest'
import { Bounded } from './bounded.ts'

test('so many at a time, so many wait, in their order, and more are refused', async () => {
  const bounded = new Bounded(2, 3)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const task = (n: number) => () => {
    begun.push(n)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  expect([1, 2, 3, 4, 5, 6].map((n) => bounded.add(task(n)))).toEqual([true, true, true, true, true, false])
  expect(begun).toEqual([1, 2])
  for (const count of [3, 4, 5]) {
    ends.shift()?.()
    await expect.poll(() => begun.length).toBe(count)
  }
  expect(begun).toEqual([1, 2, 3, 4, 5])
  expect(bounded.add(task(7)), 'there is room again').toBe(true)
})
