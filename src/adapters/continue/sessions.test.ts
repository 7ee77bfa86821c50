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
  expect(session.createdAt).toBe(1794782454949)
  expect(session.messages[1]?.toolCalls).toMatchObject([{ toolName: 'Bash', output: 'scripted-tool-output\n' }])
})

test('the list beside the sessions is none itself', () => {
  expect(sessions.isSession(`${id}.json`)).toBe(true)
  expect(sessions.isSession('sessions.json')).toBe(false)
})

test('a fork counts its own requests, not those it begins with', async () => {
  const said = (content: string, prompt_tokens: number) => ({
    message: { role: 'assistant', content, usage: { prompt_tokens, completion_tokens: 5, model: 'm' } },
  })
  const history = [said('copied', 100), said('copied, too', 200), said('its own', 400)]
  const read = (usage: object) =>
    sessions.read(
      (async function* () {
        yield JSON.stringify({ sessionId: id, history, usage })
      })(),
      `${id}.json`,
    )
  const counted = async (usage: object) => (await read(usage)).messages.map((one) => one.tokenUsage?.inputTokens)
  expect(await counted({ promptTokens: 400, completionTokens: 5 })).toEqual([undefined, undefined, 400])
  expect(await counted({ promptTokens: 700, completionTokens: 15 })).toEqual([100, 200, 400])
})
