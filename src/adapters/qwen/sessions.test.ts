import { describe, expect, it } from 'vitest'
import type { AdapterHost } from '../base.ts'
import { storePath } from '../session-stores.ts'
import { linesOf } from './fixtures/replay.ts'
import { sessions } from './sessions.ts'

async function* stream(lines: string[]): AsyncGenerator<string> {
  yield* lines
}

const host = (env: Record<string, string>): AdapterHost => ({
  env,
  homeDir: '/home/user',
  spawner: () => Promise.reject(new Error('not here')),
})

describe('where sessions are', () => {
  it('follows QWEN_HOME and QWEN_RUNTIME_DIR', () => {
    expect(storePath('qwen', host({}))).toBe('/home/user/.qwen/projects')
    expect(storePath('qwen', host({ QWEN_HOME: '/q' }))).toBe('/q/projects')
    expect(storePath('qwen', host({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' }))).toBe('/r/projects')
  })

  it('knows a session from other files, and its project by the folder', () => {
    const file = 'a34f3174-ea6b-4152-82e2-ea9ed17b6975.jsonl'
    expect(sessions.isSession(`-workspace/chats/${file}`)).toBe(true)
    expect(sessions.isSession(`-workspace/chats/${file}`, '/workspace')).toBe(true)
    expect(sessions.isSession(`-workspace2/chats/${file}`, '/workspace')).toBe(false)
    expect(sessions.isSession(`-workspace/${file}`)).toBe(false)
  })
})

describe('reading a session', () => {
  const read = (extra: string[] = []) =>
    sessions.read(
      stream([...linesOf('sessions/tool.jsonl'), ...extra]),
      '/x/a34f3174-ea6b-4152-82e2-ea9ed17b6975.jsonl',
    )

  it('joins calls with their results', async () => {
    const session = await read()
    expect(session).toMatchObject({
      agent: 'qwen',
      unifiedId: 'qwen:a34f3174-ea6b-4152-82e2-ea9ed17b6975',
      title: 'do it [[sc:tool]]',
      turnCount: 1,
      model: 'mock-model',
      cwd: '/workspace',
      createdAt: Date.parse('2026-11-15T18:51:17.039Z'),
      tokenUsage: { inputTokens: 2000, outputTokens: 70, thinkingTokens: 15, cacheReadTokens: 1200 },
    })
    expect(session.messages).toMatchObject([
      { role: 'user', content: 'do it [[sc:tool]]' },
      {
        role: 'assistant',
        content: 'Let me run that. ',
        thinking: '**Planning the command**\n\nI should run echo.',
        toolCalls: [{ toolName: 'run_shell_command', input: { command: 'echo hi' } }],
      },
      { role: 'assistant', content: 'Tool finished. Done.' },
    ])
    expect(session.messages[1]?.toolCalls?.[0]?.output).toContain('Exit Code: 0')
  })

  it('knows where a fork came from, and skips what it does not know', async () => {
    const fork =
      '{"type":"user","provenance":"real_user","forkedFrom":{"sessionId":"s","messageUuid":"m"},"message":{"parts":[{"text":"more"}]}}'
    const note = '{"type":"user","provenance":"system","message":{"parts":[{"text":"note"}]}}'
    const session = await read([fork, note, '{"type":"news"}', '{"type":"assis', 'words'])
    expect(session).toMatchObject({ forkedFrom: 's', turnCount: 2 })
    expect(session.messages).toHaveLength(4)
    expect((await sessions.read(stream([]), '/x/none.jsonl')).messages).toEqual([])
  })
})
