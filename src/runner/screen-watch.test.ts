import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fact } from '../contract/activity.ts'
import type { Screen } from './screen.ts'
import { ScreenWatch } from './screen-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const TRUST = 'Do you trust this folder?'

/** A watch of a screen that shows what the test puts there. */
function watching() {
  const shown = { lines: [TRUST] }
  const pressed: string[][] = []
  const facts: Fact[] = []
  const screen = { settled: async (look: () => unknown) => look(), text: () => shown }
  const watch = new ScreenWatch({
    screen: screen as unknown as Screen,
    launch: 1,
    read: ([line = '']) => (line === '>' ? { state: 'idle' } : { state: 'blocked', detail: line }),
    onFact: (fact) => facts.push(fact),
    answers: [{ shows: /^Do you trust/, press: ['\r'] }],
    press: (keys) => pressed.push([...keys]),
  })
  return { watch, shown, pressed, states: () => facts.map(({ state }) => state) }
}

test('a dialog that we answer is a question to nobody while it is going away', async () => {
  const { watch, shown, pressed, states } = watching()
  await watch.look()
  await watch.look()
  expect([pressed, states(), watch.dialog]).toEqual([[['\r']], [], null])
  shown.lines = ['>']
  await watch.look()
  expect(states()).toEqual(['idle'])
})

test('one that stays all the same is reported', async () => {
  const { watch, states } = watching()
  await watch.look()
  vi.advanceTimersByTime(6000)
  await watch.look()
  expect([states(), watch.dialog]).toEqual([['blocked'], TRUST])
})
