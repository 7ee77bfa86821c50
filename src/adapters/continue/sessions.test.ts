import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ContinueAdapter } from './index.ts'
import { sessions } from './sessions.ts'

const id = '0152215e-e5a1-44a1-b278-9d970125ca73'

test('reads a session: what the CLI itself never prints', async () => {
  const session = await new ContinueAdapter().parseSessionFile(
    join(import.meta.dirname, 'fixtures', 'sessions', `${id}.json`),
  )
  expect(session).toMatchObject({
    sessionId: id,
    title: 'do it',
    turnCount: 1,
    model: 'mock-model',
    cwd: '/workspace',
    tokenUsage: { inputTokens: 2300, outputTokens: 50, cacheReadTokens: 2000, cacheCreationTokens: 60 },
  })
  expect(session.createdAt).toBeGreaterThan(0)
  expect(session.messages[1]?.toolCalls).toMatchObject([{ toolName: 'Bash', output: 'scripted-tool-output\n' }])
})

test('the list beside the sessions is none itself', () => {
  expect(sessions.isSession(`${id}.json`)).toBe(true)
  expect(sessions.isSession('sessions.json')).toBe(false)
})
