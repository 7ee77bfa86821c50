import { expect, test } from 'vitest'
import { wasStopped } from './exit.ts'

test.each([
  [null, 'SIGTERM', true],
  [null, 'SIGINT', true],
  [143, null, true],
  [130, null, true],
  [null, 'SIGKILL', false],
  [1, null, false],
  [null, null, false],
] as const)('exit code %s, signal %s: %s', (exitCode, signal, expected) => {
  expect(wasStopped({ exitCode, signal, stderr: '' })).toBe(expected)
})
