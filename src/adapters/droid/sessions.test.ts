import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DroidAdapter } from './index.ts'
import { sessions } from './sessions.ts'

const id = 'cb83206b-fa8a-45bd-b2cd-b6eb921e3eb5'

test('reads a session, with its counts from the file beside it', async () => {
  const session = await new DroidAdapter().parseSessionFile(
    join(import.meta.dirname, 'fixtures', 'sessions', `${id}.jsonl`),
  )
  expect(session).toMatchObject({
    sessionId: id,
    unifiedId: `droid:${id}`,
    title: 'Please do what the script says.',
    summary: 'Scripted session',
    summaryIsFallback: false,
    turnCount: 1,
    cwd: '/workspace',
    model: 'custom:amux',
    tokenUsage: { inputTokens: 3450, outputTokens: 75, cacheReadTokens: 3000 },
  })
  expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(session.messages[1]?.toolCalls?.[0]).toMatchObject({ toolName: 'Execute' })
  expect(session.messages[1]?.toolCalls?.[0]?.output).toContain('scripted-tool-output')
})

test('knows the sessions of a project by its folder', () => {
  expect(sessions.isSession(`-home-me-x/${id}.jsonl`, '/home/me/x')).toBe(true)
  expect(sessions.isSession(`-home-me-y/${id}.jsonl`, '/home/me/x')).toBe(false)
  expect(sessions.isSession(`-home-me-x/${id}.settings.json`)).toBe(false)
})
