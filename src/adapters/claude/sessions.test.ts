import { describe, expect, it } from 'vitest'
import type { AdapterHost } from '../base.ts'
import { storePath } from '../session-stores.ts'
import { fixture, linesOf } from './fixtures/replay.ts'
import { sessions } from './sessions.ts'

async function* stream(lines: string[]): AsyncGenerator<string> {
  yield* lines
}

const read = (name: string, extra: string[] = []) =>
  sessions.read(stream([...linesOf(fixture(`sessions/${name}.jsonl`)), ...extra]), `/x/${name}.jsonl`)

const host = (env: Record<string, string>): AdapterHost => ({
  env,
  homeDir: '/home/user',
  spawner: () => Promise.reject(new Error('not here')),
})

describe('where sessions are', () => {
  it('follows CLAUDE_CONFIG_DIR', () => {
    expect(storePath('claude', host({}))).toBe('/home/user/.claude/projects')
    expect(storePath('claude', host({ CLAUDE_CONFIG_DIR: '/cfg' }))).toBe('/cfg/projects')
  })

  it('knows a session from other files, and its project by the folder', () => {
    const file = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001.jsonl'
    expect(sessions.isSession(`-workspace/${file}`)).toBe(true)
    expect(sessions.isSession(`-workspace/${file}`, '/workspace')).toBe(true)
    expect(sessions.isSession(`-workspace2/${file}`, '/workspace')).toBe(false)
    expect(sessions.isSession('-workspace/memory/notes.jsonl')).toBe(false)
    expect(sessions.isSession(`-workspace/aaaa/subagents/${file}`)).toBe(false)
    // Both as CLI 2.1.325 names them.
    expect(sessions.isSession(`-tmp-cl-ws-a-b-c-d---X-1/${file}`, '/tmp/cl/ws/a.b_c d@é+X-1')).toBe(true)
    const long = `/tmp/cl/ws/${'long-'.repeat(45)}`
    expect(sessions.isSession(`-tmp-cl-ws-${'long-'.repeat(38).slice(0, 189)}-jzh6eb/${file}`, long)).toBe(true)
  })
})

describe('reading a session', () => {
  it('joins the lines of a message, and calls with their results', async () => {
    const session = await read('tool')
    expect(session).toMatchObject({
      agent: 'claude',
      sessionId: 'tool',
      unifiedId: 'claude:tool',
      title: 'run echo hi',
      turnCount: 1,
      model: 'claude-opus-5-5',
      cwd: '/workspace',
      createdAt: Date.parse('2026-11-15T18:48:05.915Z'),
      cost: { totalUsd: 0.00266, inputTokens: 2300, outputTokens: 50, source: 'agent' },
      tokenUsage: { inputTokens: 2300, outputTokens: 50, cacheReadTokens: 2000, totalTokens: 2350 },
    })
    expect(session.messages).toMatchObject([
      { role: 'user', content: 'run echo hi' },
      {
        role: 'assistant',
        content: 'I will run a command.',
        toolCalls: [{ toolName: 'Bash', input: { command: 'echo hi' }, output: 'hi' }],
        tokenUsage: { inputTokens: 1150, outputTokens: 25 },
      },
      { role: 'assistant', content: 'The command printed hi.' },
    ])
  })

  it('has the title that the user or the CLI has given, else the first words', async () => {
    const ai = '{"type":"ai-title","aiTitle":"Echo  a word","sessionId":"tool"}'
    const custom = '{"type":"custom-title","customTitle":"Mine","sessionId":"tool"}'
    expect(await read('tool')).toMatchObject({ summary: 'run echo hi', summaryIsFallback: true })
    expect(await read('tool', [ai])).toMatchObject({
      title: 'run echo hi',
      summary: 'Echo a word',
      summaryIsFallback: false,
    })
    expect(await read('tool', [custom, ai])).toMatchObject({ summary: 'Mine', summaryIsFallback: false })
  })

  it('reads a fork with its history', async () => {
    const session = await read('forked')
    expect(session.turnCount).toBe(3)
    expect(session.title).toBe('session first')
    expect(session.messages).toHaveLength(6)
  })

  it('skips side chains, notes of the CLI, and lines it does not know', async () => {
    const extra = [
      '{"type":"user","isMeta":true,"message":{"content":"note"}}',
      '{"type":"user","message":{"content":"<command-name>/clear</command-name>"}}',
      '{"type":"news"}',
      '{"type":"assis',
      'words',
    ]
    expect((await read('tool', extra)).messages).toHaveLength(3)
    expect((await read('subagent')).messages).toEqual([])
    expect((await sessions.read(stream([]), '/x/none.jsonl')).messages).toEqual([])
  })

  it('has no cost when a model had no price', async () => {
    const line = '{"type":"cost-state","totalCostUSD":1,"modelUsage":{},"hasUnknownModelCost":true}'
    expect((await read('tool', [line])).cost).toBeUndefined()
  })
})
