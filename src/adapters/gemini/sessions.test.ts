import { expect, test } from 'vitest'
import { sessions } from './sessions.ts'

async function* lines(...records: object[]): AsyncGenerator<string> {
  for (const record of records) yield JSON.stringify(record)
}

const HEADER = { sessionId: 'abc', startTime: '2026-11-15T19:00:00.000Z', lastUpdated: '2026-11-15T19:00:00.000Z' }
const user = (id: string, text: string) => ({
  id,
  type: 'user',
  timestamp: '2026-11-15T19:00:01.000Z',
  content: [{ text }],
})
const answer = {
  id: 'a1',
  type: 'gemini',
  timestamp: '2026-11-15T19:00:02.000Z',
  content: 'Done.',
  model: 'gemini-2.5-flash',
  thoughts: [{ subject: 'Planning', description: 'Run it.' }],
  tokens: { input: 1000, output: 20, cached: 600, thoughts: 15, total: 1035 },
}
const call = { id: 'c1', name: 'run_shell_command', args: { command: 'echo hi' }, resultDisplay: 'hi' }

const read = (...records: object[]) =>
  sessions.read(lines(...records), '/nowhere/tmp/project/chats/session-x-abc.jsonl')

test('the summary that a later start has made is its own title', async () => {
  const session = await read(HEADER, user('u', 'do it'), answer, { $set: { summary: 'Running a command' } })
  expect(session).toMatchObject({ title: 'do it', summary: 'Running a command', summaryIsFallback: false })
})

test('a message that is reported again takes the place of the first', async () => {
  const session = await read(HEADER, user('c', '<session_context>\nx'), user('u', 'do it'), answer, {
    ...answer,
    toolCalls: [call],
  })
  expect(session).toMatchObject({ sessionId: 'abc', title: 'do it', turnCount: 1, model: 'gemini-2.5-flash' })
  expect(session.messages).toHaveLength(2)
  expect(session.messages[1]).toMatchObject({
    thinking: '**Planning**\nRun it.',
    toolCalls: [{ toolName: 'run_shell_command', output: 'hi' }],
  })
  expect(session.tokenUsage).toMatchObject({
    inputTokens: 1000,
    outputTokens: 35,
    thinkingTokens: 15,
    cachedTokens: 600,
  })
})

test('a list of messages is all of them from then on, and keeps the tokens that were reported', async () => {
  const { tokens: _tokens, ...unreported } = answer
  const list = { $set: { messages: [user('u', 'one'), unreported] } }
  const session = await read(HEADER, user('u', 'one'), answer, user('w', 'gone'), HEADER, list, user('v', 'two'))
  expect(session.messages.map(({ content }) => content)).toEqual(['one', 'Done.', 'two'])
  expect(session.tokenUsage?.outputTokens).toBe(35)
})

test('the folder of a project is the name of its directory', () => {
  const path = 'my-app/chats/session-2026-11-15T19-04-44444444.jsonl'
  expect(sessions.isSession(path, '/home/me/My App')).toBe(true)
  expect(sessions.isSession('my-app-1/chats/session-x.jsonl', '/home/me/My App')).toBe(true)
  expect(sessions.isSession(path, '/home/me/other')).toBe(false)
  expect(sessions.isSession('my-app/logs/session-1.jsonl')).toBe(false)
})

test('knows whose sub-agent wrote a file', () => {
  const id = 'a5785136-395b-40a2-88a2-c2fa514f16ab'
  expect(sessions.parentOf?.(`project/chats/${id}/dae1881f-fd26-4609-9033-0a6204678398.jsonl`)).toBe(id)
  expect(sessions.parentOf?.('project/chats/session-2026-11-16T03-17-a5785136.jsonl')).toBeUndefined()
})
