import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../src/contract/run-options.ts'
import { first, MODES, OPTIONS, only, run } from './support/acp-run.ts'
import { temporaryDirectory } from './support/client.ts'

describe('turns', () => {
  test('text, usage and cost', async () => {
    const { result, events } = await run({ prompt: ['hello', 'there'] })
    expect(result.outcome).toEqual({ kind: 'completed' })
    expect(result.text).toBe('Hello you said: ')
    expect(result.sessionId).toBe('session-1')
    // The cached tokens are not in its input, which shows in its total.
    expect(result.tokenUsage).toMatchObject({ inputTokens: 20, outputTokens: 5, cacheReadTokens: 10 })
    expect(result.cost).toMatchObject({ totalUsd: 0.75, source: 'agent' })
    expect(events.map(({ type }) => type)).toEqual([
      ...['session_start', 'turn_start', 'message_start', 'text_delta', 'text_delta', 'cost', 'token_usage', 'cost'],
      ...['message_stop', 'turn_end', 'session_end'],
    ])
    expect(result.unrecognized).toEqual({})
  })

  test('thoughts and plans', async () => {
    const finished = await run({ prompt: 'thoughts' })
    expect(first(finished, 'thinking_stop')?.thinking).toBe('step by step')
    expect(first(finished, 'tool_call_ready')).toMatchObject({ toolName: 'update_plan' })
    expect(finished.result.text).toBe('42')
  })

  test('several turns on one process; steering is the next turn', async () => {
    let sent = 0
    const { result } = await run({
      during: (event, handle) => {
        if (event.type !== 'text_delta' || sent++ > 0) return
        void handle.send('hello second')
        void handle.steer('hello third')
      },
    })
    expect(result.turnCount).toBe(3)
    expect(result.text).toBe('Hello you said: third')
    expect(result.tokenUsage?.outputTokens).toBe(15)
  })

  test('a system prompt goes before the first prompt, and that is said', async () => {
    const finished = await run({ prompt: 'blocks', systemPrompt: 'be brief' })
    expect(finished.result.text).toContain('be brief')
    expect(first(finished, 'debug')?.message).toContain('approximated')
  })

  test('attachments', async () => {
    const attachments = [
      { base64: 'aGk=', mimeType: 'image/png' },
      { base64: 'aGk=', mimeType: 'text/plain', name: 'a.txt' },
      { filePath: '/w/b.txt' },
    ]
    const { result } = await run({ prompt: 'blocks', attachments })
    expect(JSON.parse(result.text)).toMatchObject([
      { type: 'image', data: 'aGk=' },
      { type: 'resource', resource: { text: 'hi' } },
      { type: 'resource_link', uri: 'file:///w/b.txt', name: 'b.txt' },
      { type: 'text', text: 'blocks' },
    ])
  })

  test('notices of a vendor are ignored, its requests refused', async () => {
    const { result } = await run({ prompt: 'vendor' })
    expect(result.text).toBe('code -32601')
    expect(result.unrecognized).toEqual({})
  })

  test('what another session says is not ours', async () => {
    expect((await run({ prompt: 'subsession' })).result.text).toBe('mine')
  })
})

describe('sessions', () => {
  test('resume', async () => {
    const finished = await run({ prompt: 'state', sessionId: 'session-1' })
    expect(JSON.parse(finished.result.text).opened).toMatchObject([{ method: 'resume', sessionId: 'session-1' }])
    expect(first(finished, 'session_start')).toMatchObject({ sessionId: 'session-1', resumed: true })
  })

  test.each([false, true])('load: the history is not of this run (told late: %s)', async (late) => {
    const finished = await run({
      sessionId: 'session-1',
      settings: { capabilities: { loadSession: true }, late },
      acp: late ? { replayEndsWith: 'available_commands_update' } : {},
    })
    expect(finished.result.text).toBe('Hello you said: ')
    expect(only(finished, 'tool_call_start')).toEqual([])
    // The session had cost half a dollar before.
    expect(finished.result.cost?.totalUsd).toBe(0.25)
  })

  test('fork', async () => {
    const finished = await run({ forkSessionId: 'origin' })
    expect(first(finished, 'session_fork')).toMatchObject({ sessionId: 'session-1', forkedFrom: 'origin' })
  })

  test('an unknown session', async () => {
    const { result } = await run({ sessionId: 'nope', settings: { capabilities: { loadSession: true } } })
    expect(result.error?.code).toBe('SESSION_NOT_FOUND')
  })

  test('MCP servers and directories go with the session', async () => {
    const extra = temporaryDirectory()
    const { result } = await run({
      prompt: 'state',
      addDirs: [extra],
      mcpServers: [
        { name: 'a', command: 'run', args: ['x'], env: { KEY: 'v' } },
        { name: 'b', transport: 'streamable-http', url: 'http://127.0.0.1:1/', headers: { H: 'v' } },
      ],
    })
    const { mcpServers, additionalDirectories } = JSON.parse(result.text).opened[0]
    expect(mcpServers).toEqual([
      { name: 'a', command: 'run', args: ['x'], env: [{ name: 'KEY', value: 'v' }] },
      { type: 'http', name: 'b', url: 'http://127.0.0.1:1/', headers: [{ name: 'H', value: 'v' }] },
    ])
    expect(additionalDirectories).toEqual([extra])
  })

  const missing: [string, Partial<RunOptions>][] = [
    ['go on with a session', { sessionId: 'x' }],
    ['fork', { forkSessionId: 'x' }],
    ['directories', { addDirs: ['/tmp'] }],
    ['sse', { mcpServers: [{ name: 's', transport: 'sse', url: 'http://127.0.0.1:1/' }] }],
    ['images', { attachments: [{ base64: 'aGk=', mimeType: 'image/png' }] }],
    ['model', { model: 'two' }],
    ['effort', { thinkingEffort: 'max' }],
  ]
  test.each(missing)('what the agent does not offer is a clear failure: %s', async (words, options) => {
    const { result } = await run({ settings: { capabilities: {} }, ...options })
    expect(result.error).toMatchObject({ code: 'CAPABILITY_ERROR' })
    expect(result.outcome.evidence).toContain(words)
  })

  test('model, effort and mode are set before the first turn; a mode that is current is not', async () => {
    const acp = { modes: { deny: 'plan', prompt: 'default' } }
    const settings = { configOptions: OPTIONS, modes: MODES }
    const options = { model: 'two', thinkingEffort: 'high' as const, approvalMode: 'deny' as const }
    const { result } = await run({ prompt: 'state', settings, acp, ...options })
    expect(JSON.parse(result.text).chosen).toEqual({ m: 'two', t: 'high', mode: 'plan' })
    expect(result.model).toBe('two')
    const plain = await run({ prompt: 'state', settings, acp })
    expect(JSON.parse(plain.result.text).chosen).toEqual({})
  })

  test('an unknown model', async () => {
    const { result } = await run({ model: 'no-such-model', settings: { configOptions: OPTIONS } })
    expect(result.error?.code).toBe('MODEL_NOT_FOUND')
  })

  test('the model between two turns', async () => {
    let done = false
    const { result } = await run({
      settings: { configOptions: OPTIONS },
      during: (event, handle) => {
        if (event.type !== 'turn_end' || done) return
        done = true
        void handle.setModel('three').then(() => handle.send('state'))
      },
    })
    expect(JSON.parse(result.text).chosen).toEqual({ m: 'three' })
  })
})

describe('interrupt', () => {
  test('while it works, then another turn', async () => {
    let state = 'waiting'
    const { result } = await run({
      prompt: 'slow',
      during: (event, handle) => {
        if (event.type === 'text_delta' && state === 'waiting') {
          state = 'interrupted'
          void handle.interrupt()
        } else if (event.type === 'turn_end' && state === 'interrupted') {
          state = 'sent'
          void handle.send('hello again')
        }
      },
    })
    expect(result.outcome.kind).toBe('completed')
    expect(result.text).toBe('Hello you said: again')
  })

  test('while a permission is open, by an agent that waits for its answer', async () => {
    const { result } = await run({
      prompt: 'slow-permission',
      during: (event, handle) => {
        if (event.type === 'approval_request') void handle.interrupt()
      },
    })
    expect(result.outcome.kind).toBe('cancelled')
  })

  test('before the first prompt is out', async () => {
    const { result } = await run({
      prompt: 'slow',
      during: (event, handle) => {
        if (event.type === 'session_start') void handle.interrupt()
      },
    })
    expect(result.outcome.kind).toBe('cancelled')
  })
})

describe('failures', () => {
  test.each([
    ['error-status 401', 'auth_required'],
    ['error-status 429', 'rate_limited'],
    ['error-status 500', 'failed'],
    ['error-data 403 no right to this', 'auth_required'],
    ['error-data prompt is too long', 'context_exhausted'],
    ['error-data You exceeded your current quota', 'quota_exhausted'],
    ['error-auth', 'auth_required'],
    ['error-text', 'auth_required'],
    ['stop-refusal', 'failed'],
    ['stop-limit', 'turn_limit'],
    ['stop-tokens', 'failed'],
    ['crash', 'crashed'],
  ])('%s is %s', async (prompt, kind) => {
    const { result } = await run({ prompt, acp: { errorText: [/^Error: /] } })
    expect(result.outcome.kind).toBe(kind)
    expect(result.error === null).toBe(kind === 'turn_limit')
  })

  test('words of the provider, not of the protocol', async () => {
    expect((await run({ prompt: 'error-status 500' })).result.error?.message).toBe('status 500')
    expect((await run({ prompt: 'error-data the disk is full' })).result.error?.message).toBe('the disk is full')
  })

  test('an agent that is no ACP agent', async () => {
    const { result } = await run({ acp: { args: ['-e', 'console.log("hello")'] } })
    expect(result.outcome.kind).toBe('protocol_drift')
    expect(result.unrecognized).toEqual({ text: 1 })
  })
})
