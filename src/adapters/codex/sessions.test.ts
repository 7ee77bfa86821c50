import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../contract/sessions.ts'
import { storePath } from '../session-stores.ts'
import { sessions } from './sessions.ts'

function readSample(name: string): Promise<Session> {
  const path = fileURLToPath(new URL(`./fixtures/sessions/${name}.jsonl`, import.meta.url))
  return sessions.read(createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }), path)
}

async function* lines(...records: object[]): AsyncGenerator<string> {
  for (const record of records) yield JSON.stringify(record)
}

describe('where sessions live', () => {
  const host = { env: {}, homeDir: '/home/user', spawner: () => Promise.reject(new Error('not here')) }

  test('below CODEX_HOME, or the home directory', () => {
    expect(storePath('codex', host)).toBe('/home/user/.codex/sessions')
    expect(storePath('codex', { ...host, env: { CODEX_HOME: '/c' } })).toBe('/c/sessions')
  })

  test('in rollout files', () => {
    expect(sessions.isSession('2026/11/15/rollout-2026-11-15T19-03-47-01a1e098.jsonl')).toBe(true)
    expect(sessions.isSession('2026/11/15/notes.jsonl')).toBe(false)
  })
})

describe('recorded sessions', () => {
  test('a tool call with its output and duration', async () => {
    const session = await readSample('c-tool')
    expect(session).toMatchObject({
      agent: 'codex',
      title: 'run echo hi',
      cwd: '/workspace',
      model: 'gpt-5.5-codex',
      turnCount: 1,
      tokenUsage: { inputTokens: 2300, outputTokens: 90, cacheReadTokens: 2000, thinkingTokens: 40 },
    })
    expect(session.unifiedId).toBe(`codex:${session.sessionId}`)
    expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'run echo hi'],
      ['assistant', 'I will run a command.'],
      ['assistant', 'The command printed hi.'],
    ])
    expect(session.messages[1]?.toolCalls).toMatchObject([
      { toolName: 'exec_command', input: { cmd: 'echo hi' }, output: expect.stringContaining('hi\n'), durationMs: 155 },
    ])
  })

  test('a resumed session is one session', async () => {
    const session = await readSample('s-resume')
    expect(session).toMatchObject({ turnCount: 3, tokenUsage: { inputTokens: 3450 }, forkedFrom: undefined })
    expect(session.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'say hello',
      'second turn',
      'third turn',
    ])
  })

  test('a fork knows its origin and counts only its own tokens', async () => {
    const session = await readSample('s-fork')
    expect(session).toMatchObject({
      forkedFrom: '01a1e098-1c8d-7950-9a2c-085ca2bfbc8f',
      title: 'forked turn',
      turnCount: 2,
      tokenUsage: { inputTokens: 2300, outputTokens: 90 },
    })
  })

  test('patches and MCP calls keep their names', async () => {
    const patch = await readSample('c-patch-ws')
    expect(patch.messages.flatMap(({ toolCalls }) => toolCalls ?? [])).toMatchObject([
      { toolName: 'apply_patch', output: expect.stringContaining('Success') },
    ])
    const mcp = await readSample('h-mcp')
    const names = mcp.messages.flatMap(({ toolCalls }) => toolCalls?.map(({ toolName }) => toolName) ?? [])
    expect(names).toEqual(['tool_search', 'mcp__tiny__echo'])
  })
})

describe('odd files', () => {
  test('an older file without marks: what codex wrote in the name of the user is left out', async () => {
    const user = (text: string) => ({
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    })
    const session = await sessions.read(
      lines(
        user('<environment_context>x</environment_context>'),
        user('# AGENTS.md instructions for /w'),
        user('real'),
        { type: 'response_item', payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] } },
        { type: 'response_item', payload: { type: 'message', role: 'assistant', content: [{ text: 'ok' }] } },
        { type: 'never_heard_of', payload: { x: 1 } },
      ),
      '/s/rollout-2026-01-01T00-00-00-01a1e098-1c8d-7950-9a2c-085ca2bfbc8f.jsonl',
    )
    expect(session).toMatchObject({
      sessionId: '01a1e098-1c8d-7950-9a2c-085ca2bfbc8f',
      title: 'real',
      turnCount: 1,
      messages: [{ content: 'real' }, { content: 'ok', thinking: 'hm' }],
    })
    expect(session.tokenUsage).toBeUndefined()
  })

  test('an empty or torn file is an empty session', async () => {
    async function* torn() {
      yield '{"timestamp":"2026-'
      yield ''
    }
    expect((await sessions.read(torn(), '/s/rollout-x.jsonl')).messages).toEqual([])
  })
})
