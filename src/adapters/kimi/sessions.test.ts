import { describe, expect, test } from 'vitest'
import { wire } from './fixtures/wire.ts'
import { KimiAdapter } from './index.ts'
import { sessions } from './sessions.ts'

describe('sessions', () => {
  test('a conversation with a tool', async () => {
    const session = await new KimiAdapter().parseSessionFile(wire('tool'))
    expect(session).toMatchObject({
      ...{ agent: 'kimi', title: 'Please do what the script says.', turnCount: 1, model: 'kimi-k2', cwd: '/workspace' },
      tokenUsage: { inputTokens: 2300, outputTokens: 50, cacheReadTokens: 2000 },
    })
    expect(session.sessionId).toMatch(/^session_/)
    expect(session.messages).toMatchObject([
      { role: 'user', content: 'Please do what the script says.' },
      { role: 'assistant', toolCalls: [{ toolName: 'Bash', output: 'scripted-tool-output\n' }] },
      { role: 'assistant', content: 'The command has run.' },
    ])
  })

  test('thinking', async () => {
    const { messages } = await new KimiAdapter().parseSessionFile(wire('thinking'))
    expect(messages.at(-1)?.thinking).toContain('step by step')
  })

  test('which files are conversations', () => {
    const path = 'wd_project_e3af8a725158/session_1/agents/main/wire.jsonl'
    expect(sessions.isSession(path)).toBe(true)
    // The folder carries the hash of the directory.
    expect(sessions.isSession(path, '/workspace/project')).toBe(true)
    expect(sessions.isSession(path, '/elsewhere')).toBe(false)
    expect(sessions.isSession('wd_project_e3af8a725158/session_1/agents/sub/wire.jsonl')).toBe(false)
  })
})
