import { describe, expect, it } from 'vitest'
import { createDialogue } from './dialogue.ts'
import { drafts, failures, feed, replay, shape, types, unrecognized } from './fixtures/replay.ts'

const TEXT_RUN = 'session_start turn_start message_start text_delta message_stop token_usage cost turn_end'

describe('recorded one-shot runs', () => {
  it.each([
    ['a-text', TEXT_RUN],
    ['a-text-partial', TEXT_RUN],
    ['slash-command', 'session_start turn_start message_start text_delta message_stop turn_end'],
    [
      'thinking-partial',
      'session_start turn_start thinking_start thinking_delta thinking_stop message_start text_delta message_stop token_usage cost turn_end',
    ],
    [
      'c-tool',
      'session_start turn_start message_start text_delta message_stop tool_call_start tool_call_ready shell_start shell_stdout_delta shell_exit tool_result message_start text_delta message_stop token_usage cost turn_end',
    ],
    [
      'c-tool-partial',
      'session_start turn_start message_start text_delta message_stop tool_call_start tool_input_delta tool_call_ready shell_start shell_stdout_delta shell_exit tool_result message_start text_delta message_stop token_usage cost turn_end',
    ],
    [
      'c-write-acceptEdits',
      'session_start turn_start tool_call_start tool_call_ready tool_result file_create message_start text_delta message_stop token_usage cost turn_end',
    ],
    [
      'c-denied',
      'session_start turn_start tool_call_start tool_call_ready shell_start approval_request approval_denied shell_exit tool_error message_start text_delta message_stop token_usage cost turn_end',
    ],
    [
      'h-mcp',
      'session_start turn_start tool_call_start tool_call_ready tool_result tool_call_start tool_call_ready mcp_tool_call_start mcp_tool_result tool_result message_start text_delta message_stop token_usage cost turn_end',
    ],
    [
      'subagent',
      'session_start turn_start tool_call_start tool_input_delta tool_call_ready subagent_spawn subagent_result tool_result message_start text_delta message_stop token_usage cost turn_end',
    ],
    ['hooks-tool', shape(replay('c-tool'))],
    ['pm-dontAsk', shape(replay('c-denied'))],
  ])('%s', (scenario, expected) => {
    const effects = replay(scenario)
    expect(shape(effects)).toBe(expected)
    expect(failures(effects)).toEqual([])
    expect(unrecognized(effects)).toEqual([])
  })

  it('tells text once, whether it was streamed or not', () => {
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
    expect(types(replay('s2-resume', { sessionId })).slice(0, 2)).toEqual(['session_start', 'session_resume'])
    expect(drafts(replay('s3-fork', { forkSessionId: sessionId })).slice(0, 2)).toMatchObject([
      { type: 'session_start', resumed: false, forkedFrom: sessionId },
      { type: 'session_fork', forkedFrom: sessionId },
    ])
  })

  it('counts tokens with the cache, and of a resumed session only what this run adds', () => {
    const events = drafts(replay('s2-resume', { sessionId: 'x' }))
    expect(events.find((event) => event.type === 'token_usage')).toMatchObject({
      inputTokens: 1150,
      outputTokens: 25,
      cacheReadTokens: 1000,
      cacheCreationTokens: 30,
      model: 'claude-opus-5-5',
      costUsd: 0.00133,
    })
    // The line itself says total_cost_usd 0.00266.
    expect(events.find((event) => event.type === 'cost')).toMatchObject({
      cost: { totalUsd: 0.00133, inputTokens: 1150, source: 'agent' },
    })
  })

  it('knows no cost of a model that the CLI has no price for', () => {
    const events = drafts(replay('unknown-model'))
    expect(events.some((event) => event.type === 'cost')).toBe(false)
    expect(events.find((event) => event.type === 'token_usage')).toMatchObject({ costUsd: undefined })
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

  it('tells of retries and limits', () => {
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

describe('records that no recording has', () => {
  const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm', apiKeySource: 'none' }
  const live = () => createDialogue({ prompt: 'x' })

  it('starts the session once and a turn each time', () => {
    const dialogue = live()
    expect(types(feed(dialogue, init))).toEqual(['session_start', 'turn_start'])
    expect(types(feed(dialogue, init))).toEqual(['turn_start'])
    expect(types(feed(dialogue, { ...init, session_id: 'other' }))).toEqual(['session_start', 'turn_start'])
  })

  it('gives a login three tries, a key one', () => {
    const retry = {
      type: 'system',
      subtype: 'api_retry',
      attempt: 1,
      error_status: 401,
      error: 'authentication_failed',
    }
    const login = live()
    feed(login, init)
    expect([1, 2, 3].map(() => failures(feed(login, retry)).length)).toEqual([0, 0, 1])
    const key = live()
    feed(key, { ...init, apiKeySource: 'ANTHROPIC_API_KEY' })
    expect(failures(feed(key, retry))[0]).toMatchObject({ endNow: true })
    expect(key.onExit({ exitCode: 143, signal: null, stderr: '' })).toEqual([])
  })

  it('takes a rejected window for a spent quota', () => {
    const dialogue = live()
    const info = { status: 'rejected', resetsAt: 1794772386, rateLimitType: 'five_hour' }
    expect(drafts(feed(dialogue, { type: 'rate_limit_event', rate_limit_info: info }))).toEqual([
      { type: 'rate_limited', resetAt: 1794772386000, window: 'five_hour' },
    ])
    const result = { type: 'result', subtype: 'success', is_error: true, result: "You've hit your 5-hour limit" }
    expect(failures(feed(dialogue, result))[0]?.outcome).toMatchObject({
      kind: 'quota_exhausted',
      resetAt: 1794772386000,
    })
  })

  it('counts by difference where a version tells only totals', () => {
    const usage = (inputTokens: number, costUSD: number) => ({ m: { inputTokens, outputTokens: 1, costUSD } })
    const result = (modelUsage: object) => ({ type: 'result', subtype: 'success', is_error: false, modelUsage })
    const dialogue = live()
    feed(dialogue, result(usage(10, 0.5)))
    expect(drafts(feed(dialogue, result(usage(30, 1.5))))).toMatchObject([
      { type: 'token_usage', inputTokens: 20, costUsd: 1 },
      { type: 'cost', cost: { totalUsd: 1.5, inputTokens: 30 } },
      { type: 'turn_end' },
    ])
    const resumed = createDialogue({ prompt: 'x', sessionId: 's' })
    expect(types(feed(resumed, result(usage(10, 0.5))))).toEqual(['turn_end'])
  })

  it('reports denials that only the result tells of', () => {
    const denials = [
      { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'rm x' } },
      { tool_name: 'AskUserQuestion', tool_use_id: 't2', tool_input: {} },
    ]
    const effects = feed(live(), { type: 'result', subtype: 'success', is_error: false, permission_denials: denials })
    expect(drafts(effects)).toMatchObject([
      { type: 'approval_request', interactionId: 't1', toolName: 'Bash', detail: 'rm x', riskLevel: 'high' },
      { type: 'approval_denied', interactionId: 't1' },
      { type: 'turn_end' },
    ])
  })

  it('keeps what sub-agents say out of the answer, and shows what they do', () => {
    const dialogue = live()
    const message = (block: object) => ({
      type: 'assistant',
      parent_tool_use_id: 'parent',
      message: { id: 'm', content: [block] },
    })
    const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'mine' } }
    expect(feed(dialogue, { type: 'stream_event', parent_tool_use_id: 'parent', event: delta })).toEqual([])
    expect(feed(dialogue, message({ type: 'text', text: 'mine' }))).toEqual([])
    const use = message({ type: 'tool_use', id: 't', name: 'Read', input: { file_path: '/x' } })
    expect(drafts(feed(dialogue, use))).toMatchObject([
      { type: 'tool_call_start', parentToolCallId: 'parent' },
      { type: 'tool_call_ready', parentToolCallId: 'parent' },
    ])
    const started = { type: 'system', subtype: 'task_started', task_id: 'a', subagent_type: 'Plan', prompt: 'p' }
    feed(dialogue, started)
    const ended = { type: 'system', subtype: 'task_notification', task_id: 'a', status: 'failed', summary: 'why' }
    expect(drafts(feed(dialogue, ended))).toEqual([
      { type: 'subagent_error', subagentId: 'a', agentName: 'Plan', error: 'failed why' },
    ])
  })

  it('tells how much a compaction saved', () => {
    const compact_metadata = { trigger: 'auto', pre_tokens: 1000, post_tokens: 300 }
    expect(drafts(feed(live(), { type: 'system', subtype: 'compact_boundary', compact_metadata }))).toEqual([
      { type: 'context_compacted', summary: '', tokensSaved: 700 },
    ])
  })

  it('names what it does not know', () => {
    const dialogue = live()
    const unknown = [
      { type: 'news' },
      { type: 'system', subtype: 'news' },
      { type: 'stream_event', event: { type: 'news' } },
    ]
    expect(unknown.flatMap((record) => unrecognized(feed(dialogue, record)))).toEqual([
      'news',
      'system/news',
      'stream_event/news',
    ])
    expect(dialogue.onLine('plain words', 'stdout')).toEqual([{ unrecognized: 'text' }])
    expect(dialogue.onLine('plain words', 'stderr')).toEqual([])
  })
})

describe('exit', () => {
  const exit = (exitCode: number | null, stderr = '', signal: string | null = null) => {
    const dialogue = createDialogue({ prompt: 'x' })
    dialogue.start({ prompt: 'x' })
    return failures(dialogue.onExit({ exitCode, signal, stderr }))[0]?.outcome
  }

  it('calls silence a drift, a signal a cancellation, and leaves the rest to the engine', () => {
    expect(exit(0)).toMatchObject({ kind: 'protocol_drift' })
    expect(exit(null, '', 'SIGTERM')).toMatchObject({ kind: 'cancelled' })
    expect(exit(130)).toMatchObject({ kind: 'cancelled' })
    expect(exit(null, '', 'SIGKILL')).toBeUndefined()
    expect(exit(1, 'something odd')).toBeUndefined()
    expect(exit(1, 'claude native binary not installed')).toMatchObject({ code: 'AGENT_NOT_INSTALLED' })
    expect(exit(1, "error: unknown option '--nope'")).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('has nothing to add when every turn had its result', () => {
    const dialogue = createDialogue({ prompt: 'x' })
    dialogue.start({ prompt: 'x' })
    feed(dialogue, { type: 'result', subtype: 'success', is_error: false })
    expect(dialogue.onExit({ exitCode: 1, signal: null, stderr: '' })).toEqual([])
  })
})
