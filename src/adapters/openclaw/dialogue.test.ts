import { expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { createDialogue } from './dialogue.ts'

const dialogue = (options: Partial<RunOptions> = {}) => createDialogue({ prompt: 'x', ...options })
const types = (effects: Effect[]) =>
  effects.map((effect) => ('emit' in effect ? effect.emit.type : Object.keys(effect)[0]))

const RESULT = {
  ok: true,
  status: 'ok',
  final: 'Done.',
  payloads: [
    { text: 'Hm.', isReasoning: true },
    { text: 'I look.', isCommentary: true },
    { text: 'Done.', mediaUrl: null },
  ],
  usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
  model: 'm',
  provider: 'p',
  sessionId: 's1',
}

function lines(result: object): string[] {
  return JSON.stringify(result, null, 2).split('\n')
}

test('a document over many lines is read when it is whole', () => {
  const { onLine } = dialogue()
  const all = lines(RESULT)
  for (const line of all.slice(0, -1)) expect(onLine(line, 'stdout')).toEqual([])
  expect(types(onLine(all.at(-1) ?? '', 'stdout'))).toEqual([
    'session_start',
    'turn_start',
    'stream_fallback',
    ...['thinking_delta', 'thinking_stop', 'text_delta', 'message_stop', 'text_delta', 'message_stop'],
    'model',
    'token_usage',
    'turn_end',
  ])
})

test('the same on one line', () => {
  expect(types(dialogue().onLine(JSON.stringify(RESULT), 'stdout'))).toContain('turn_end')
})

test('input counts what the cache gave', () => {
  const effects = dialogue().onLine(JSON.stringify(RESULT), 'stdout')
  expect(effects).toContainEqual({
    emit: {
      ...{ type: 'token_usage', inputTokens: 8, outputTokens: 2, thinkingTokens: 0, model: 'p/m' },
      ...{ cacheReadTokens: 3, cacheCreationTokens: 4 },
    },
  })
})

test('other output is counted, and a document after it still read', () => {
  const { onLine } = dialogue()
  expect(onLine('Doctor says hello', 'stdout')).toEqual([{ unrecognized: 'text' }])
  expect(onLine('{', 'stdout')).toEqual([])
  expect(onLine('  "cut', 'stdout')).toEqual([])
  expect(onLine(JSON.stringify(RESULT), 'stdout')[0]).toEqual({ unrecognized: 'text' })
})

const LOG = '[agent/embedded] embedded run'

test('the log reports the session, tools and retries', () => {
  const { onLine } = dialogue()
  const start = `${LOG} start: runId=r sessionId=s1 provider=agent-mux model=gpt-5.5 thinking=medium`
  expect(onLine(start, 'stderr')).toEqual([
    { emit: { type: 'session_start', sessionId: 's1', resumed: false } },
    { model: 'gpt-5.5' },
    { emit: { type: 'turn_start' } },
  ])
  expect(onLine(start, 'stderr')).toEqual([])
  expect(onLine(`${LOG} tool start: runId=r tool=exec toolCallId=c1`, 'stderr')).toEqual([
    { emit: { type: 'tool_call_start', toolCallId: 'c1', toolName: 'exec' } },
  ])
  expect(types(onLine(`${LOG} tool end: runId=r tool=exec toolCallId=c1`, 'stderr'))).toEqual(['tool_result'])
  const retry = '[agent/embedded] transient same-model retry 2/9 for p/m reason=rate_limit: delayMs=1304'
  expect(onLine(retry, 'stderr')).toEqual([
    { emit: { type: 'rate_limited' } },
    { emit: { type: 'retry', attempt: 2, maxAttempts: 9, reason: 'rate_limit', delayMs: 1304 } },
  ])
  const result = { ...RESULT, toolSummary: { calls: 1, tools: ['exec'], failures: 1 } }
  const reported = types(onLine(JSON.stringify(result), 'stdout'))
  expect(reported).not.toContain('tool_call_start')
  expect(reported).not.toContain('session_start')
  expect(reported.slice(0, 2)).toEqual(['stream_fallback', 'debug'])
})

test.each([
  [{ message: 'Agent run timed out', kind: 'timeout' }, 'timed_out'],
  [{ message: 'LLM request timed out.', kind: 'timeout' }, 'failed'],
  [{ message: 'LLM request failed: connection refused by the provider endpoint.', kind: 'timeout' }, 'failed'],
  [{ message: 'stopped', kind: 'aborted' }, 'cancelled'],
  [{ message: '400 too long', kind: 'context_overflow' }, 'context_exhausted'],
  [{ message: 'Rate limit reached.; Retry-After: 2 seconds', kind: 'exception' }, 'rate_limited'],
  [{ message: 'gateway agent requires credentials', type: 'cli_error' }, 'auth_required'],
  [{ message: 'API provider returned a billing error', kind: 'error_payload' }, 'quota_exhausted'],
  [{ message: 'who knows', kind: 'agent_error' }, 'failed'],
])('%j', (error, kind) => {
  const effects = dialogue().onLine(JSON.stringify({ ok: false, payloads: [], error }), 'stdout')
  const failure = effects.find((effect) => 'fail' in effect)
  expect(failure && 'fail' in failure && failure.fail.outcome.kind).toBe(kind)
})

test('an end without a document', () => {
  const ending = (exitCode: number | null, signal: string | null = null) =>
    types(dialogue().onExit({ exitCode, signal, stderr: '' }))
  expect(ending(1)).toEqual([])
  expect(ending(0)).toEqual(['fail'])
  expect(ending(null, 'SIGTERM')).toEqual(['fail'])
})

test('nothing can be said to it', () => {
  expect(dialogue().onCommand({ type: 'user_turn', text: 'more' })).toBeNull()
})
