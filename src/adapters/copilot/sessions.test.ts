import { expect, test } from 'vitest'
import { sessions } from './sessions.ts'

async function* lines(...records: object[]): AsyncGenerator<string> {
  for (const record of records) yield JSON.stringify(record)
}

const at = (second: number) => `2026-11-15T18:51:${String(second).padStart(2, '0')}.000Z`
const USAGE = { inputTokens: 1000, outputTokens: 35, cacheReadTokens: 600, cacheWriteTokens: 0, reasoningTokens: 15 }

test('the conversation, its calls and what they cost in tokens', async () => {
  const session = await sessions.read(
    lines(
      {
        type: 'session.start',
        timestamp: at(0),
        data: { sessionId: 'abc', selectedModel: 'm', context: { cwd: '/work' } },
      },
      { type: 'user.message', timestamp: at(1), data: { content: 'do it' } },
      { type: 'session.usage_record', timestamp: at(2), data: { usage: USAGE } },
      {
        type: 'assistant.message',
        timestamp: at(2),
        data: {
          content: 'Let me.',
          model: 'm',
          toolRequests: [{ toolCallId: 't', name: 'bash', arguments: { command: 'ls' } }],
        },
      },
      { type: 'tool.execution_start', timestamp: at(3), data: { toolCallId: 't' } },
      { type: 'tool.execution_complete', timestamp: at(4), data: { toolCallId: 't', result: { content: 'out' } } },
      { type: 'assistant.message', agentId: 'sub', timestamp: at(5), data: { content: 'inner' } },
      { type: 'session.usage_record', timestamp: at(6), data: { usage: USAGE } },
    ),
    '/home/me/.copilot/session-state/abc/events.jsonl',
  )
  expect(session).toMatchObject({ sessionId: 'abc', title: 'do it', turnCount: 1, cwd: '/work', model: 'm' })
  expect(session.messages).toHaveLength(2)
  expect(session.messages[1]?.toolCalls).toEqual([
    { toolCallId: 't', toolName: 'bash', input: { command: 'ls' }, output: 'out', durationMs: 1000 },
  ])
  expect(session.tokenUsage).toMatchObject({ inputTokens: 2000, outputTokens: 70, cacheReadTokens: 1200 })
})

test('only the events of a session are one', () => {
  expect(sessions.isSession('abc/events.jsonl')).toBe(true)
  expect(sessions.isSession('abc/files/events.jsonl')).toBe(false)
})
