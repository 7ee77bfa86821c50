import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClineAdapter } from './index.ts'
import { sessions } from './sessions.ts'

const id = '1794781672186_3ingh'

test('reads a session, with what the file beside it reports', async () => {
  const session = await new ClineAdapter().parseSessionFile(
    join(import.meta.dirname, 'fixtures', 'sessions', id, `${id}.messages.json`),
  )
  expect(session).toMatchObject({
    sessionId: id,
    title: '--help me',
    turnCount: 1,
    model: 'other-model',
    cwd: '/workspace',
    tokenUsage: { inputTokens: 2300, outputTokens: 50, cacheReadTokens: 2000 },
  })
  expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(session.messages[1]?.toolCalls?.[0]).toMatchObject({ toolName: 'run_commands' })
})

test('a session is its messages', () => {
  expect(sessions.isSession(`${id}/${id}.messages.json`)).toBe(true)
  expect(sessions.isSession(`${id}/${id}.json`)).toBe(false)
})
