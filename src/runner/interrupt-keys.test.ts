import { expect, test } from 'vitest'
import { isInterruptKey } from './interrupt-keys.ts'

const keys = { interrupt: ['\x1b'] }

test.each([
  ['\x1b', true],
  ['\x1b[27u', true],
  ['\x1b[27;1:1u', true],
  ['\x03', true],
  ['\x1b[99;5u', true],
  ['\x1b[A', false],
  ['\x1b[27;1:3u', false],
  ['\x1bb', false],
  ['a', false],
  ['', false],
])('%j: %s', (data, expected) => expect(isInterruptKey(data, keys)).toBe(expected))

test('another key of the agent', () => {
  expect(isInterruptKey('\x1b', { interrupt: ['\x18'] })).toBe(false)
  expect(isInterruptKey('\x18', { interrupt: ['\x18'] })).toBe(true)
})
