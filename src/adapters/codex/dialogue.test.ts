import { describe, expect, test } from 'vitest'
import { createDialogue } from './dialogue.ts'
import { drafts, failures, fixture, replay, SCENARIOS, sum, types, unrecognized } from './fixtures/replay.ts'

describe('recordings without a hint', () => {
  test.each([
    ['d-401', { kind: 'auth_required' }],
    ['d-403', { kind: 'auth_required' }],
    ['e-429', { kind: 'rate_limited' }],
    ['e-quota', { kind: 'quota_exhausted' }],
    ['f-500', { code: 'MODEL_ERROR' }],
    ['g-context', { kind: 'context_exhausted' }],
    ['k-noenvkey', { kind: 'auth_required' }],
    ['k-noauth', { code: 'MODEL_ERROR' }],
    ['exec-404-model', { code: 'MODEL_NOT_FOUND' }],
    ['exec-context-400', { kind: 'context_exhausted' }],
    ['exec-refusal', { code: 'REFUSED' }],
    ['exec-cut', { code: 'MODEL_ERROR' }],
    ['exec-overloaded', { code: 'MODEL_ERROR' }],
    ['app-401', { kind: 'auth_required' }],
    ['app-404-model', { code: 'MODEL_NOT_FOUND' }],
    ['app-context-400', { kind: 'context_exhausted' }],
    ['app-quota', { kind: 'quota_exhausted' }],
    ['app-refusal', { code: 'REFUSED' }],
    ['app-cut', { code: 'MODEL_ERROR' }],
    ['app-network', { code: 'MODEL_ERROR' }],
    ['app-resume-bad', { code: 'SESSION_NOT_FOUND' }],
  ])('%s fails for the right reason', (name, outcome) => {
    expect(failures(replay(name))[0]?.outcome).toMatchObject(outcome)
  })

  test.each(['d-401', 'd-403', 'app-401', 'k-noauth', 'app-network'])('%s is ended at once', (name) => {
    expect(failures(replay(name))[0]?.endNow).toBe(true)
  })

  test('each failed turn of one dialogue has its own reason', () => {
    const kinds = failures(replay('app-error')).map(({ outcome }) => outcome.kind)
    expect(kinds).toEqual(['context_exhausted', 'context_exhausted', 'quota_exhausted', 'rate_limited', 'failed'])
    expect(failures(replay('app-error'))[2]?.outcome).toMatchObject({ resetAt: 1794773436000 })
  })

  test.each(['c-escalate', 'c-patch-ro', 'exec-mcp-approval'])('%s was denied', (name) => {
    expect(types(replay(name)).filter((type) => /^(approval|tool_error)/.test(type))).toEqual([
      'approval_request',
      'approval_denied',
      'tool_error',
    ])
  })

  test.each(['c-plan', 'exec-question'])('%s failed, but not for want of permission', (name) => {
    expect(types(replay(name))).toContain('tool_error')
    expect(types(replay(name))).not.toContain('approval_denied')
  })

  test('answers to approvals are read from what became of the calls', () => {
    const verdicts = types(replay('app-approval')).filter((type) => /approval_(granted|denied)/.test(type))
    expect(verdicts).toEqual(['approval_granted', 'approval_denied', 'approval_denied', 'approval_granted'])
  })

  test.each([
    ['a-text', 1150, 45],
    ['h-mcp', 3450, 135],
    ['app-basic', 3450, 135],
    ['app-approval', 8050, 315],
    ['app-compaction', 3450, 75],
    ['app-subagent', 4600, 100],
    ['app-interrupt-tool', 2300, 50],
  ])('%s used what it used, once', (name, input, output) => {
    const effects = replay(name)
    expect([sum(effects, 'inputTokens'), sum(effects, 'outputTokens')]).toEqual([input, output])
  })

  test('exec cannot tell the usage of a resumed run', () => {
    expect(types(replay('s-resume', { sessionId: 'x' }))).not.toContain('token_usage')
  })

  test('tools and their insides', () => {
    expect(types(replay('c-tool'))).toEqual([
      ...['session_start', 'turn_start', 'stream_fallback', 'text_delta', 'message_stop'],
      ...['tool_call_start', 'tool_call_ready', 'shell_start', 'shell_stdout_delta', 'shell_exit', 'tool_result'],
      ...['text_delta', 'message_stop', 'token_usage', 'turn_end'],
    ])
    expect(types(replay('c-patch-ws')).slice(2, 6)).toEqual([
      'tool_call_start',
      'tool_call_ready',
      'tool_result',
      'file_create',
    ])
    expect(drafts(replay('app-failed-command'))).toContainEqual(
      expect.objectContaining({ type: 'tool_error', error: 'oops\n' }),
    )
    expect(drafts(replay('app-subagent'))).toContainEqual(
      expect.objectContaining({ type: 'subagent_result', summary: 'Subagent done.' }),
    )
  })

  test('nothing in any recording is unknown', () => {
    for (const name of SCENARIOS) {
      expect(unrecognized(replay(name))).toEqual([])
    }
  })
})

describe('the end of the process', () => {
  const exitOf = (exit: { exitCode: number | null; signal: string | null; stderr?: string }) => {
    const dialogue = createDialogue({ prompt: '', nonInteractive: true })
    dialogue.onLine('{"type":"turn.started"}', 'stdout')
    return failures(dialogue.onExit({ stderr: '', ...exit }))[0]?.outcome
  }

  test('is judged by stderr, signal and code', () => {
    expect(exitOf({ exitCode: 1, signal: null, stderr: fixture('s-resume-bad/stderr.txt') })).toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    expect(exitOf({ exitCode: 1, signal: null, stderr: fixture('nogit/stderr.txt') })).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    expect(exitOf({ exitCode: null, signal: 'SIGTERM' })).toMatchObject({ kind: 'cancelled' })
    expect(exitOf({ exitCode: 130, signal: null })).toMatchObject({ kind: 'cancelled' })
    expect(exitOf({ exitCode: 0, signal: null })).toMatchObject({ kind: 'protocol_drift' })
    expect(exitOf({ exitCode: 101, signal: null })).toBeUndefined()
  })

  test('after an error that no turn.failed confirmed, the error counts', () => {
    const dialogue = createDialogue({ prompt: '', nonInteractive: true })
    dialogue.onLine('{"type":"error","message":"Quota exceeded."}', 'stdout')
    expect(failures(dialogue.onExit({ exitCode: 1, signal: null, stderr: '' }))[0]?.outcome.kind).toBe(
      'quota_exhausted',
    )
  })
})
