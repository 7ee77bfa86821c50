import { expect, test } from 'vitest'
import { readScreen, type ScreenRule } from './screen-rules.ts'

const RULES: ScreenRule[] = [
  { shows: /Esc to cancel/, state: 'blocked', dialog: 'permission' },
  { shows: /esc to interrupt/, state: 'active' },
  { shows: /^> /, state: 'idle' },
]

test('the first rule that holds counts, and says no more than its sign', () => {
  expect(readScreen(['text', '> ', ' Esc to cancel', '', ''], RULES)).toEqual({
    state: 'blocked',
    dialog: 'permission',
  })
  expect(readScreen(['text', '> ', ' esc to interrupt'], RULES)).toEqual({ state: 'active' })
})

test('only the bottom of the screen is believed: an agent may print anything above it', () => {
  const printed = ['The file says: Esc to cancel', ...Array.from({ length: 6 }, (_, i) => `line ${i}`), '> ']
  expect(readScreen(printed, RULES)).toEqual({ state: 'idle' })
  expect(readScreen([], RULES)).toBeNull()
})
