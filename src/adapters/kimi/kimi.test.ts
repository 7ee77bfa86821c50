import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import { endpointOverride } from './args.ts'
import adapter, { KimiAdapter } from './index.ts'
import { sessions } from './sessions.ts'
import { turnRecord } from './turn-record.ts'

const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key' }
const wire = (name: string) => {
  const directory = join(import.meta.dirname, 'fixtures/sessions', name)
  return join(directory, readdirSync(directory)[0] ?? '', 'agents/main/wire.jsonl')
}

describe('arguments', () => {
  test('both forms are ACP; the prompt is in the protocol', () => {
    const { command, args, env } = adapter.buildSpawnArgs({ prompt: 'secret words', nonInteractive: true })
    expect([command, args]).toEqual(['kimi', ['acp']])
    expect(env).toEqual({ KIMI_CODE_NO_AUTO_UPDATE: '1' })
  })

  test('an endpoint brings its model; the key is in the environment only', () => {
    const { args, env } = adapter.buildSpawnArgs({ prompt: 'x', model: 'm', endpoint, thinkingEffort: 'high' })
    expect(args).toEqual(['acp'])
    expect(env).toMatchObject({
      ...{ KIMI_MODEL_NAME: 'm', KIMI_MODEL_API_KEY: 'key', KIMI_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' },
      ...{ KIMI_MODEL_PROVIDER_TYPE: 'kimi', KIMI_MODEL_THINKING_EFFORT: 'high' },
    })
    expect(endpointOverride({ ...endpoint, protocol: 'anthropic' }).env.KIMI_MODEL_PROVIDER_TYPE).toBe('anthropic')
    expect(() => endpointOverride({ ...endpoint, protocol: 'gemini' })).toThrow(CapabilityError)
  })

  test.each([{ allowedTools: ['Bash'] }, { outputSchema: {} }, { newSessionId: 'x' }])('refuses %j', (options) => {
    expect(() => adapter.buildSpawnArgs({ prompt: 'x', ...options })).toThrow(CapabilityError)
  })
})

describe('its own record of a turn', () => {
  const read = (name: string) => turnRecord.read(readFileSync(wire(name), 'utf8'))

  test('usage of each request to the model', () => {
    const part = { inputTokens: 1150, outputTokens: 25, cacheReadTokens: 1000 }
    expect(read('tool')).toMatchObject({ usage: [part, part], retries: [], failure: undefined })
  })

  test('why it failed, and what was tried', () => {
    const evidence = read('rate-limit')
    expect(evidence?.failure).toBe('provider.rate_limit: 429 Rate limit reached for requests. Please try again in 1s.')
    expect(evidence?.retries).toMatchObject([
      { emit: { type: 'rate_limited' } },
      { emit: { type: 'retry', attempt: 1 } },
    ])
  })

  test('a turn that is not written to its end is none yet', () => {
    const lines = readFileSync(wire('tool'), 'utf8').split('\n')
    const end = lines.findIndex((line) => line.startsWith('{"type":"turn.ended"'))
    expect(turnRecord.read(lines.slice(0, end).join('\n'))).toBeNull()
    for (const text of ['', '{}', 'x\n{"type":"turn.prompt"']) expect(turnRecord.read(text)).toBeNull()
  })
})

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
