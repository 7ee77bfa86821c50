import { expect, test } from 'vitest'
import { sessionTitle } from './session-title.ts'

test('a title is one short line', () => {
  expect(sessionTitle('  fix\n\nthe   bug ')).toBe('fix the bug')
  expect(sessionTitle('x'.repeat(300))).toHaveLength(100)
})

test('what was handed off is called by its task', () => {
  expect(sessionTitle('Paint it green.\n\nYou take over a conversation that a user had with Codex CLI')).toBe(
    'Paint it green.',
  )
})
