import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFacts } from '../../core/session-log.ts'
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

test('the model of an endpoint is counted under the name that has a price', () => {
  const facts = { ...emptyFacts(id), model: 'custom:glm-5.3' }
  const settings = { tokenUsage: { inputTokens: 10, outputTokens: 1 } }
  expect(sessions.beside?.read(facts, [settings])).toMatchObject([{ model: 'glm-5.3', inputTokens: 10 }])
  expect(sessions.beside?.read(emptyFacts(id), [{ ...settings, model: 'custom:kimi-k3' }])).toMatchObject([
    { model: 'kimi-k3' },
  ])
})

test('knows the sessions of a project by its folder', () => {
  expect(sessions.isSession(`-home-me-x/${id}.jsonl`, '/home/me/x')).toBe(true)
  expect(sessions.isSession(`-home-me-y/${id}.jsonl`, '/home/me/x')).toBe(false)
  expect(sessions.isSession(`-home-me-x/${id}.settings.json`)).toBe(false)
})
