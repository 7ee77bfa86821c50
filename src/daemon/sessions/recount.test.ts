import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Recount } from './recount.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('counts soon after news, and again until there are none', async () => {
  const answers = [true, true, false]
  const count = vi.fn(async () => answers.shift() ?? false)
  const recount = new Recount(count)
  recount.soon()
  recount.soon()
  expect(count).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(count).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(count).toHaveBeenCalledTimes(3)
  recount.soon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(count).toHaveBeenCalledTimes(4)
})

test('the last count is the last', async () => {
  const count = vi.fn(async () => true)
  const recount = new Recount(count)
  recount.soon()
  await recount.last()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(count).toHaveBeenCalledTimes(1)
})
