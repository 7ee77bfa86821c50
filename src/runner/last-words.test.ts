import { expect, test } from 'vitest'
import { lastWords } from './last-words.ts'

// The screen of Claude Code 2.1.325 in a new home without a network.
const OFFLINE = [
  ...['       █████████                  *', '.......█ █   █ █.......................', ''],
  ...[' Unable to connect to Anthropic services', '', ' Failed to connect to api.anthropic.com: ENOTFOUND', ''],
  ...[' Please check your internet connection and network settings.', '', '', ''],
]

test('the words on a screen, without what is drawn', () => {
  expect(lastWords({ lines: OFFLINE })).toBe(
    'Unable to connect to Anthropic services Failed to connect to api.anthropic.com: ENOTFOUND Please check your internet connection and network settings.',
  )
  expect(lastWords({ lines: ['', '────', '❯ '] })).toBe('')
})

test('is bounded', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${'word '.repeat(30)}${index}`)
  expect(lastWords({ lines })).toHaveLength(400)
  expect(lastWords({ lines })).toMatch(/^….*word 39$/)
})
