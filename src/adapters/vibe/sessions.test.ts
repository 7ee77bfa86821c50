import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { current } from './fixtures/store.ts'
import { VibeAdapter } from './index.ts'
import { sessions } from './sessions.ts'

const read = (file: string) => new VibeAdapter().parseSessionFile(file)

describe('sessions', () => {
  // The second was not written to a snapshot: all of it is in the journal, as after a crash.
  test.each(['tool', 'journal'])('a conversation with a tool (%s)', async (name) => {
    const session = await read(current(name))
    expect(session).toMatchObject({
      ...{ agent: 'vibe', title: 'hi', turnCount: 1, model: 'scripted-model', cwd: '/home/user/project' },
      tokenUsage: { inputTokens: 2300, outputTokens: 50, cacheReadTokens: 2000, totalTokens: 2350 },
    })
    expect(session.updatedAt).toBeGreaterThan(session.createdAt)
    expect(session.messages).toMatchObject([
      { role: 'user', content: 'hi' },
      {
        ...{ role: 'assistant', content: 'I will run a command.' },
        toolCalls: [{ input: { command: 'sleep 1; echo scripted-tool-output' }, output: 'scripted-tool-output\n' }],
      },
      { role: 'assistant', content: 'The command has run.' },
    ])
  })

  test('thinking', async () => {
    const { messages } = await read(current('thinking'))
    expect(messages.at(-1)).toMatchObject({ content: 'The answer after thinking is 42.' })
    expect(messages.at(-1)?.thinking).toContain('step by step')
  })

  test('names that point out of the store are not followed', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'vibe store $ "ü" '))
    onTestFinished(() => rm(directory, { recursive: true }))
    await cp(dirname(current('tool')), join(directory, 'inner'), { recursive: true })
    await cp(dirname(current('thinking')), join(directory, 'other'), { recursive: true })
    const file = join(directory, 'inner', 'CURRENT')
    await writeFile(file, JSON.stringify({ generation: '../../other/generations/0000000000000008', session_id: 'x' }))
    expect(await read(file)).toMatchObject({ sessionId: 'x', messages: [] })
  })

  test('which files are conversations', () => {
    expect(sessions.isSession('9a2f4864-4a18-a709-d5dd-686d6071497d/CURRENT')).toBe(true)
    expect(sessions.isSession('9a2f4864-4a18-a709-d5dd-686d6071497d/meta.json')).toBe(false)
    expect(sessions.isSession('a/generations/CURRENT')).toBe(false)
  })
})
