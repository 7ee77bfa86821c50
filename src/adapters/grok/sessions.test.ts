import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GrokAdapter } from './index.ts'
import { sessions } from './sessions.ts'

const id = '01a1e13a-a61f-7931-a4e5-1f08684857cf'

test('reads a session, with its counts and times from the files beside it', async () => {
  const session = await new GrokAdapter().parseSessionFile(
    join(import.meta.dirname, 'fixtures', 'sessions', id, 'chat_history.jsonl'),
  )
  expect(session).toMatchObject({
    sessionId: id,
    title: 'do it',
    // Its title is the prompt again.
    summary: 'do it',
    summaryIsFallback: true,
    turnCount: 1,
    cwd: '/workspace',
    model: 'mock-model',
    tokenUsage: { inputTokens: 2300, outputTokens: 50, cacheReadTokens: 2000 },
  })
  expect(session.createdAt).toBe(Date.parse('2026-11-15T22:01:19.665Z'))
  expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(session.messages[1]?.toolCalls?.[0]?.output).toContain('Subagent started')
})

test('knows the sessions of a project by its folder', () => {
  expect(sessions.isSession(`%2Fhome%2Fme/${id}/chat_history.jsonl`, '/home/me')).toBe(true)
  expect(sessions.isSession(`%2Fhome%2Fyou/${id}/chat_history.jsonl`, '/home/me')).toBe(false)
  expect(sessions.isSession(`%2Fhome%2Fme/${id}/events.jsonl`)).toBe(false)
})
