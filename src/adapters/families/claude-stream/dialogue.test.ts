import { describe, expect, it } from 'vitest'
import { createDialogue } from '../../claude/dialogue.ts'
import { drafts, failures, feed, types, unrecognized } from '../../claude/fixtures/replay.ts'

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

  it('counts by difference where a version reports only totals', () => {
    const usage = (inputTokens: number, costUSD: number) => ({ m: { inputTokens, outputTokens: 1, costUSD } })
    const result = (modelUsage: object) => ({ type: 'result', subtype: 'success', is_error: false, modelUsage })
    const dialogue = live()
    feed(dialogue, result(usage(10, 0.5)))
    expect(drafts(feed(dialogue, result(usage(30, 1.5))))).toMatchObject([
      { type: 'cost', cost: { totalUsd: 1.5, inputTokens: 30 } },
      { type: 'token_usage', inputTokens: 20, costUsd: 1 },
      { type: 'turn_end' },
    ])
    const resumed = createDialogue({ prompt: 'x', sessionId: 's' })
    expect(types(feed(resumed, result(usage(10, 0.5))))).toEqual(['turn_end'])
  })

  it('reports denials that are only in the result', () => {
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

  it('reports how much a compaction saved', () => {
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
