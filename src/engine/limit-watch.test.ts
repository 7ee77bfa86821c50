import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LimitWatch } from './limit-watch.ts'
import { type Retrying, RunTotals } from './run-totals.ts'

type Graces = ConstructorParameters<typeof LimitWatch>[0]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A watch, and an agent that reports at these seconds that it tries again. Returns the second at which it is ended. */
function endedAt(failures: readonly number[], more: Partial<Retrying> = {}, graces: Graces = {}): number | null {
  const begin = Date.now()
  let ended: number | null = null
  const watch = new LimitWatch(graces, () => {
    ended ??= (Date.now() - begin) / 1000
  })
  for (const second of failures) {
    vi.advanceTimersByTime(second * 1000 - (Date.now() - begin))
    if (ended === null) {
      const retrying = { kind: 'rate_limit', reason: '429', isTryingAgain: true, delayIsKnown: true } as const
      watch.note({ ...retrying, triesAt: Date.now(), ...more })
    }
  }
  vi.advanceTimersByTime(600_000)
  watch.stop()
  return ended
}

test('a limit that stays ends the agent after the grace', () => {
  expect(endedAt([0, 5, 13, 23, 35])).toBe(30)
  expect(endedAt([0, 10, 20, 30, 40, 60, 90, 115, 125], { kind: 'server' })).toBe(120)
})

test('an agent that is being answered is not ended, however long its model thinks', () => {
  expect(endedAt([0])).toBe(null)
  expect(endedAt([0, 5, 15])).toBe(null)
})

test('one that does not say how long it waits is ended a grace after its last failure', () => {
  const unknown = { delayIsKnown: false }
  expect(endedAt([0], unknown)).toBe(30)
  expect(endedAt([0, 5, 13], unknown)).toBe(43)
  expect(endedAt([0, 5, 13, 35], unknown)).toBe(35)
  expect(endedAt([0], { ...unknown, kind: 'server' })).toBe(120)
})

test('it is ended by the next failure once the grace is over', () => {
  expect(endedAt([0, 5, 15, 37])).toBe(37)
})

test('a failure long after the last one begins a new grace', () => {
  expect(endedAt([0, 300])).toBe(null)
  expect(endedAt([0, 300, 310, 325])).toBe(330)
})

test('a limit that is known to last ends it at once', () => {
  expect(endedAt([0], { retryAfterMs: 60_000 })).toBe(0)
})

test('limits and outages have a grace each, and 0 ends nothing', () => {
  const failures = [0, 10, 20, 30, 40, 50]
  expect(endedAt(failures, {}, { outageGraceMs: 5000 })).toBe(30)
  expect(endedAt(failures, { kind: 'network' }, { limitGraceMs: 5000, outageGraceMs: 15_000 })).toBe(15)
  expect(endedAt(failures, { kind: 'overloaded' }, { outageGraceMs: 0 })).toBe(null)
  expect(endedAt(failures, {}, { limitGraceMs: 0, outageGraceMs: 5000 })).toBe(null)
})

/** One that tries again every 20 seconds, and has half an answer after each try. */
function halfAnswers(tries: number, progressOf: (tryNumber: number) => number): boolean {
  let hasExpired = false
  const watch = new LimitWatch({}, () => {
    hasExpired = true
  })
  for (let n = 0; n < tries; n += 1) {
    const retrying = { kind: 'network', reason: 'cut', isTryingAgain: true, delayIsKnown: true } as const
    watch.note({ ...retrying, triesAt: Date.now() }, progressOf(n))
    vi.advanceTimersByTime(10_000)
    watch.note(null, progressOf(n))
    vi.advanceTimersByTime(10_000)
  }
  watch.stop()
  return hasExpired
}

test('an answer that begins and breaks off again is not progress, a whole one is', () => {
  expect(halfAnswers(6, () => 1)).toBe(false)
  expect(halfAnswers(7, () => 1)).toBe(true)
  expect(halfAnswers(9, (n) => (n < 4 ? 1 : 2))).toBe(false)
})

test('what an answer that breaks off leaves in the events is not progress; a call, a result, the end of a turn are', () => {
  const totals = new RunTotals()
  for (const type of ['message_start', 'text_delta', 'token_usage', 'message_stop', 'retry'] as const)
    totals.count(type)
  expect(totals.progress).toBe(0)
  for (const type of ['tool_call_start', 'tool_result', 'turn_end'] as const) totals.count(type)
  expect(totals.progress).toBe(3)
})
