import { expect, test } from 'vitest'
import { continuesSession } from './continues-session.ts'

test('resuming and forking go on with a session', () => {
  expect(continuesSession({ prompt: '', sessionId: 'a' })).toBe(true)
  expect(continuesSession({ prompt: '', forkSessionId: 'a' })).toBe(true)
  expect(continuesSession({ prompt: '', newSessionId: 'a' })).toBe(false)
})
