import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AiderAdapter } from './index.ts'
import { sessions } from './sessions.ts'

const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const directory = join(import.meta.dirname, 'fixtures', 'sessions')

test('reads a session: the words of one file with the exact counts of the other', async () => {
  const session = await new AiderAdapter().parseSessionFile(join(directory, `${id}.jsonl`))
  expect(session).toMatchObject({
    sessionId: id,
    title: 'first line second line',
    turnCount: 1,
    model: 'openai/scripted-model',
    tokenUsage: { inputTokens: 1150, outputTokens: 25 },
  })
  expect(session.createdAt).toBeGreaterThan(1_790_000_000_000)
  expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(session.messages[0]?.content).toBe('first line\nsecond line')
  expect(session.messages[1]?.content).toMatch(/^scripted\.txt\n```\n[\s\S]*```$/)
})

test('the words are no session without their counts', () => {
  expect(sessions.isSession(`${id}.jsonl`)).toBe(true)
  expect(sessions.isSession(`${id}.md`)).toBe(false)
  expect(sessions.isSession(`other/${id}.jsonl`)).toBe(false)
})

test('a request that failed for its length has used nothing', async () => {
  const sent = (completion_tokens: number) =>
    JSON.stringify({ event: 'message_send', properties: { prompt_tokens: 700, completion_tokens }, time: 1 })
  const read = (line: string) =>
    sessions.read(
      (async function* () {
        yield line
      })(),
      join(directory, `${id}.jsonl`),
    )
  expect((await read(sent(0))).tokenUsage).toBeUndefined()
  expect((await read(sent(5))).tokenUsage).toMatchObject({ inputTokens: 700, outputTokens: 5 })
})
