import { expect, test } from 'vitest'
import { sessionTitle } from './session-title.ts'

test('a title is one short line', () => {
  expect(sessionTitle('  fix\n\nthe   bug ')).toBe('fix the bug')
  expect(sessionTitle('x'.repeat(300))).toHaveLength(100)
})
