import { describe, expect, it } from 'vitest'
import { addUsage, emptyUsage } from '../../core/usage.ts'
import { drafts, failures, replay, shape, types, unrecognized } from './fixtures/replay.ts'

const TEXT_RUN = 'session_start turn_start message_start text_delta message_stop token_usage cost token_usage turn_end'

describe('recorded one-shot runs', () => {
  it.each([
    ['a-text', TEXT_RUN],
    ['a-text-partial', TEXT_RUN],
    ['slash-command', 'session_start turn_start message_start text_delta message_stop turn_end'],
    [
      'thinking-partial',
      'session_start turn_start thinking_start thinking_delta thinking_stop message_start text_delta message_stop token_usage cost token_usage turn_end',
    ],
    [
      'c-tool',
      'session_start turn_start message_start text_delta message_stop token_usage tool_call_start tool_call_ready shell_start shell_stdout_delta shell_exit tool_result message_start text_delta message_stop token_usage cost token_usage turn_end',
    ],
    [
      'c-tool-partial',
      'session_start turn_start message_start text_delta message_stop tool_call_start tool_input_delta tool_call_ready shell_start token_usage shell_stdout_delta shell_exit tool_result message_start text_delta message_stop token_usage cost token_usage turn_end',
    ],
    [
      'c-write-acceptEdits',
      'session_start turn_start tool_call_start tool_call_ready token_usage tool_result file_create message_start text_delta message_stop token_usage cost token_usage turn_end',
    ],
    [
      'c-denied',
      'session_start turn_start tool_call_start tool_call_ready shell_start token_usage approval_request approval_denied shell_exit tool_error message_start text_delta message_stop token_usage cost token_usage turn_end',
    ],
    [
      'h-mcp',
      'session_start turn_start tool_call_start tool_call_ready token_usage tool_result tool_call_start tool_call_ready mcp_tool_call_start token_usage mcp_tool_result tool_result message_start text_delta message_stop token_usage cost token_usage turn_end',
    ],
    [
      'subagent',
      'session_start turn_start tool_call_start tool_input_delta tool_call_ready subagent_spawn token_usage subagent_result tool_result message_start text_delta message_stop token_usage cost token_usage turn_end',
    ],
    ['hooks-tool', shape(replay('c-tool'))],
    ['pm-dontAsk', shape(replay('c-denied'))],
  ])('%s', (scenario, expected) => {
    const effects = replay(scenario)
    expect(shape(effects)).toBe(expected)
    expect(failures(effects)).toEqual([])
    expect(unrecognized(effects)).toEqual([])
  })

  it('reports text once, whether it was streamed or not', () => {
    const texts = ['a-text', 'a-text-partial'].map((scenario) =>
      drafts(replay(scenario))
        .map((draft) => (draft.type === 'text_delta' ? draft.delta : ''))
        .join(''),
    )
    expect(texts).toEqual(['Hello from the mock model.', 'Hello from the mock model.'])
    expect(drafts(replay('a-text-partial')).find((draft) => draft.type === 'message_stop')).toMatchObject({
      text: 'Hello from the mock model.',
    })
  })

  it('reads what a command printed and how it ended', () => {
    expect(drafts(replay('shell-fails'))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'shell_stdout_delta', delta: 'out\nerr' }),
        expect.objectContaining({ type: 'shell_exit', exitCode: 3 }),
        expect.objectContaining({ type: 'tool_error', toolName: 'Bash' }),
      ]),
    )
  })

  it('shows an edit as a diff', () => {
    expect(drafts(replay('edit'))).toContainEqual(
      expect.objectContaining({ type: 'file_patch', diff: '@@ -1,2 +1,2 @@\n-one\n+two\n line' }),
    )
  })

  it('hands on the structured output, also as text', () => {
    const effects = replay('schema')
    expect(effects).toContainEqual({ structuredOutput: { name: 'scripted' } })
    expect(drafts(effects)).toContainEqual({ type: 'message_stop', text: '{"name":"scripted"}' })
  })

  it('names session and model, and says how it began', () => {
    const sessionId = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001'
    expect(replay('s1-new')).toEqual(
      expect.arrayContaining([
        { emit: { type: 'session_start', sessionId, resumed: false } },
        { model: 'claude-opus-5-5' },
      ]),
    )
    expect(drafts(replay('s2-resume', { sessionId }))[0]).toMatchObject({ type: 'session_start', resumed: true })
    expect(drafts(replay('s3-fork', { forkSessionId: sessionId })).slice(0, 2)).toMatchObject([
      { type: 'session_start', resumed: false, forkedFrom: sessionId },
      { type: 'session_fork', forkedFrom: sessionId },
    ])
  })

  it('counts tokens with the cache, and of a resumed session only what this run adds', () => {
    const events = drafts(replay('s2-resume', { sessionId: 'x' }))
    const usage = events.filter((event) => event.type === 'token_usage')
    const sum = usage.reduce(addUsage, emptyUsage())
    expect(sum).toMatchObject({
      inputTokens: 1150,
      outputTokens: 25,
      cacheReadTokens: 1000,
      cacheCreationTokens: 30,
    })
    expect(usage.at(-1)).toMatchObject({ model: 'claude-opus-5-5', costUsd: 0.00133 })
    // The line itself says total_cost_usd 0.00266.
    expect(events.find((event) => event.type === 'cost')).toMatchObject({
      cost: { totalUsd: 0.00133, inputTokens: 1150, source: 'agent' },
    })
  })

  it('knows no cost of a model that the CLI has no price for', () => {
    const events = drafts(replay('unknown-model'))
    expect(events.some((event) => event.type === 'cost')).toBe(false)
    const usage = events.filter((event) => event.type === 'token_usage')
    expect(usage.map(({ costUsd }) => costUsd)).toEqual([undefined])
  })
})

describe('recorded failures', () => {
  it.each<[string, object]>([
    ['d-401', { outcome: { kind: 'auth_required' }, endNow: true, event: { type: 'auth_error' } }],
    ['j-oauth-401', { outcome: { kind: 'auth_required' }, endNow: false }],
    ['d-403', { outcome: { kind: 'auth_required' }, endNow: false }],
    ['k-noauth', { outcome: { kind: 'auth_required' } }],
    ['d-404-model', { outcome: { kind: 'failed', code: 'MODEL_NOT_FOUND' } }],
    ['e-429', { outcome: { kind: 'rate_limited' }, transient: true }],
    ['quota', { outcome: { kind: 'quota_exhausted' }, transient: false }],
    ['credit', { outcome: { kind: 'quota_exhausted' } }],
    ['f-500', { outcome: { kind: 'failed', code: 'MODEL_ERROR' }, transient: true }],
    ['overloaded', { outcome: { kind: 'failed', code: 'MODEL_ERROR' }, transient: true }],
    ['cut', { outcome: { kind: 'failed', code: 'MODEL_ERROR' }, transient: true }],
    ['g-context', { outcome: { kind: 'context_exhausted' }, event: { usedTokens: 215000, maxTokens: 200000 } }],
    ['refusal', { outcome: { kind: 'failed', code: 'REFUSED' } }],
    ['max-turns', { outcome: { kind: 'turn_limit' }, event: { type: 'turn_limit', maxTurns: 2 } }],
    ['sig-SIGINT', { outcome: { kind: 'cancelled' } }],
    ['sig-SIGTERM', { outcome: { kind: 'cancelled' } }],
    ['unknown-session', { outcome: { kind: 'failed', code: 'SESSION_NOT_FOUND' } }],
    ['c-bypass', { outcome: { kind: 'failed', evidence: expect.stringContaining('IS_SANDBOX=1') } }],
    ['s5-sid-dup', { outcome: { kind: 'failed', evidence: expect.stringContaining('already in use') } }],
    ['s6-resume-plus-sid', { outcome: { kind: 'failed', code: 'VALIDATION_ERROR' } }],
    ['s12-empty', { outcome: { kind: 'failed', code: 'VALIDATION_ERROR' } }],
  ])('%s', (scenario, expected) => {
    const effects = replay(scenario, { maxTurns: 2 })
    expect(failures(effects)[0]).toMatchObject(expected)
    expect(unrecognized(effects)).toEqual([])
  })

  it('never shows the words of an API error as the answer', () => {
    for (const scenario of ['d-403', 'e-429', 'f-500', 'g-context']) {
      expect(types(replay(scenario))).not.toContain('text_delta')
    }
  })

  it('reports retries and limits', () => {
    const events = drafts(replay('e-429-recover'))
    expect(events).toContainEqual({
      type: 'retry',
      attempt: 1,
      maxAttempts: 10,
      reason: 'rate_limit (429)',
      delayMs: 1000,
    })
    expect(events).toContainEqual({ type: 'rate_limited', retryAfterMs: 1000 })
    expect(failures(replay('e-429-recover'))).toEqual([])
  })
})
