import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readLines } from '../../files/read-lines.ts'
import type { AdapterHost } from '../base.ts'
import { storePath } from '../session-stores.ts'
import { sessions } from './sessions.ts'

const read = (name: string) => {
  const path = join(import.meta.dirname, 'fixtures', 'sessions', `${name}.jsonl`)
  return sessions.read(readLines(path), path)
}

async function* stream(records: object[]): AsyncGenerator<string> {
  for (const record of records) yield JSON.stringify(record)
}

const host = (env: Record<string, string>): AdapterHost => ({
  env,
  homeDir: '/home/user',
  spawner: () => Promise.reject(new Error('not here')),
})

describe('where sessions are', () => {
  it('follows the variables of the CLI', () => {
    expect(storePath('pi', host({}))).toBe('/home/user/.pi/agent/sessions')
    expect(storePath('pi', host({ PI_CODING_AGENT_DIR: '/cfg' }))).toBe('/cfg/sessions')
    expect(storePath('pi', host({ PI_CODING_AGENT_SESSION_DIR: '/own' }))).toBe('/own')
  })

  it('knows a session from other files, and its project by the folder', () => {
    const file = '2026-11-15T19-07-32-048Z_01a1e09b-894f-766b-9eaf-5f0996799057.jsonl'
    expect(sessions.isSession(`--workspace--/${file}`)).toBe(true)
    expect(sessions.isSession(`--home-user-a.b--/${file}`, '/home/user/a.b')).toBe(true)
    expect(sessions.isSession(`--home-user-a.b--/${file}`, '/home/user')).toBe(false)
    expect(sessions.isSession(file, '/anywhere')).toBe(true)
    expect(sessions.isSession('--workspace--/notes.jsonl')).toBe(false)
  })
})

describe('reading a session', () => {
  it('reports a fork by its parent, and adds up what it used', async () => {
    const session = await read('fork')
    expect(session).toMatchObject({
      sessionId: '01a1e095-930f-74d5-871a-6db81c87855d',
      unifiedId: 'pi:01a1e095-930f-74d5-871a-6db81c87855d',
      forkedFrom: '01a1e093-ea86-7577-94e3-5534d4688987',
      title: 'hello [[text]]',
      turnCount: 4,
      cwd: '/workspace',
      model: 'mock-model',
      cost: { totalUsd: 0.000524, source: 'agent' },
      tokenUsage: { inputTokens: 400, outputTokens: 80, cacheReadTokens: 40 },
    })
    expect(session.messages.map(({ role }) => role)).toEqual(Array(4).fill(['user', 'assistant']).flat())
  })

  it('reads those of 0.73', async () => {
    expect(await read('old')).toMatchObject({ turnCount: 2, forkedFrom: undefined, model: 'mock-model' })
  })

  it('follows the newest branch and keeps the whole tree', async () => {
    const message = (id: string, parentId: string | null, role: string, content: unknown) => ({
      type: 'message',
      id,
      parentId,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role, content },
    })
    const call = { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls' } }
    const session = await sessions.read(
      stream([
        { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w' },
        message('a', null, 'user', 'one'),
        message('b', 'a', 'assistant', [{ type: 'text', text: 'left' }]),
        message('c', 'a', 'assistant', [{ type: 'thinking', thinking: 'hm' }, call]),
        { ...message('d', 'c', '', ''), message: { role: 'toolResult', toolCallId: 'c', content: 'out' } },
        { type: 'compaction', id: 'e', parentId: 'd', timestamp: 'x', summary: 'so far' },
      ]),
      '/x/y_s.jsonl',
    )
    expect(session.messages).toMatchObject([
      { role: 'user', content: 'one' },
      { role: 'assistant', thinking: 'hm', toolCalls: [{ toolName: 'bash', output: 'out' }] },
      { role: 'system', content: 'so far' },
    ])
    expect(session.raw).toMatchObject({ entries: { length: 5 } })
  })

  it('ends on a file whose entries go round', async () => {
    const ring = [
      { type: 'custom', id: 'a', parentId: 'b' },
      { type: 'custom', id: 'b', parentId: 'a' },
    ]
    expect((await sessions.read(stream(ring), '/x/y_id_2.jsonl')).sessionId).toBe('id_2')
  })
})
