import { describe, expect, test } from 'vitest'
import type { Dialogue, Effect } from '../../../contract/dialogue.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { opencodeRunDialogue } from './dialogue.ts'
import { liveDialogue } from './live.ts'
import { opencode } from './opencode.ts'

const run = (options: Partial<RunOptions> = {}) => opencodeRunDialogue(opencode, { prompt: '', ...options })
const record = (type: string, more: object) => JSON.stringify({ type, sessionID: 'ses_1', ...more })
const step = (messageID = 'msg_1') => record('step_start', { part: { type: 'step-start', messageID } })
const events = (effects: Effect[] | null) => (effects ?? []).flatMap((effect) => ('emit' in effect ? effect.emit : []))
const types = (effects: Effect[] | null) => events(effects).map(({ type }) => type)
const outcome = (effects: Effect[]) => effects.flatMap((effect) => ('fail' in effect ? effect.fail.outcome : []))[0]
const exit = (dialogue: Dialogue, exitCode: number, stderr = '') => dialogue.onExit({ exitCode, signal: null, stderr })
const failedTry = (words: string) =>
  `level=ERROR message="stream error" providerID=p small=false agent=build mode=primary error.error="AI_APICallError: ${words}"`

test('a session begins with its first record, and its turn ends with the process', () => {
  const dialogue = run({ forkSessionId: 'ses_0' })
  expect(types(dialogue.onLine(step(), 'stdout'))).toEqual([
    'session_start',
    'session_fork',
    'turn_start',
    'step_start',
  ])
  expect(types(exit(dialogue, 0))).toEqual(['turn_end'])
})

describe('retries', () => {
  test('a failed try is one only when another follows', () => {
    const dialogue = run()
    expect(dialogue.onLine(failedTry('not now'), 'stderr')).toEqual([])
    expect(events(dialogue.onLine(failedTry('not now'), 'stderr'))).toMatchObject([{ type: 'retry', attempt: 1 }])
    const retry = events(dialogue.onLine(step(), 'stdout')).find(({ type }) => type === 'retry')
    expect(retry).toMatchObject({ attempt: 2, reason: 'not now' })
  })
  test('at a limit the first one says that it waits, because the next may come in an hour', () => {
    const limited = (words: string) => run().onLine(failedTry(words), 'stderr')
    const reason = 'Rate limit reached for requests. Please try again in 1s.'
    expect(limited(reason)).toEqual([{ limited: { kind: 'rate_limit', reason, retryAfterMs: 1000 } }])
    const spent = 'You exceeded your current quota, please check your plan and billing details.'
    expect(limited(spent)).toEqual([{ limited: { kind: 'quota', reason: spent, retryAfterMs: undefined } }])
    const lost = 'Cannot connect to API: Unable to connect. Is the computer able to access the url?'
    expect(limited(lost)).toEqual([{ limited: { kind: 'network', reason: lost, retryAfterMs: undefined } }])
  })
  test('the last one is none', () => {
    const dialogue = run()
    dialogue.onLine(failedTry('no'), 'stderr')
    const error = { name: 'APIError', data: { message: 'no', statusCode: 401 } }
    expect(types(dialogue.onLine(record('error', { error }), 'stdout'))).not.toContain('retry')
    expect(outcome(exit(dialogue, 1))?.kind).toBe('auth_required')
  })
  test('a step that begins again is one', () => {
    const dialogue = run()
    dialogue.onLine(step(), 'stdout')
    expect(types(dialogue.onLine(step(), 'stdout'))).toEqual(['retry', 'step_start'])
    expect(types(dialogue.onLine(step('msg_2'), 'stdout'))).toEqual(['step_start'])
  })
  test('those of the title and of sub-agents are theirs', () => {
    const line = failedTry('x').replace('small=false', 'small=true')
    const dialogue = run()
    dialogue.onLine(line, 'stderr')
    expect(types(dialogue.onLine(step(), 'stdout'))).not.toContain('retry')
  })
})

describe('errors', () => {
  const fail = (error: unknown, stderr = '') => {
    const dialogue = run()
    dialogue.onLine(record('error', { error }), 'stdout')
    return outcome(exit(dialogue, 1, stderr))
  }
  const api = (statusCode: number | undefined, message: string, more: object = {}) =>
    fail({ name: 'APIError', data: { message, statusCode, ...more } })

  test.each([
    [
      'a limit',
      api(429, 'slow', { responseHeaders: { 'retry-after': '2' } }),
      { kind: 'rate_limited', retryAfterMs: 2000 },
    ],
    ['a spent plan', api(429, 'You exceeded your current quota'), { kind: 'quota_exhausted' }],
    ['no money', api(402, 'pay'), { kind: 'quota_exhausted' }],
    ['no right', api(403, 'no'), { kind: 'auth_required' }],
    ['an unknown model', api(404, 'x'), { kind: 'failed', code: 'MODEL_NOT_FOUND' }],
    ['a bad request', api(400, 'strange'), { kind: 'failed', code: 'VALIDATION_ERROR' }],
    ['no connection', api(undefined, 'reset'), { kind: 'failed', code: 'MODEL_ERROR' }],
    ['a refusal', fail({ name: 'ContentFilterError', data: {} }), { kind: 'failed', code: 'REFUSED' }],
    ['plain words', fail('Model not found: a/b.'), { kind: 'failed', code: 'MODEL_NOT_FOUND' }],
  ])('%s', (_name, found, wanted) => expect(found).toMatchObject(wanted))

  test('the cause behind a reference is in the log', () => {
    const unknown = { name: 'UnknownError', data: { message: 'Unexpected server error.', ref: 'err_1' } }
    const log = (cause: string) => `x\nlevel=ERROR message=failed ref=err_1 error="${cause}" cause="…"\n`
    const missing = 'ProviderModelNotFoundError: Model not found: a/m. Did you mean: '
    expect(fail(unknown, log(`${missing}n?`))).toMatchObject({ code: 'MODEL_NOT_FOUND' })
    // Offered in its own place: the model is there, its provider is not.
    expect(fail(unknown, log(`${missing}m, n?`))).toMatchObject({ kind: 'auth_required' })
    expect(fail(unknown)).toMatchObject({ code: 'MODEL_ERROR' })
  })

  test('a step that ends well repairs what was before', () => {
    const dialogue = run()
    dialogue.onLine(record('error', { error: { name: 'ContextOverflowError', data: {} } }), 'stdout')
    dialogue.onLine(record('step_finish', { part: { type: 'step-finish', reason: 'stop' } }), 'stdout')
    expect(outcome(exit(dialogue, 0))).toBeUndefined()
  })
})

test('a call that the agent refused is reported as denied, and the words after it are not an error', () => {
  const dialogue = run()
  const state = { status: 'error', input: { command: 'x' }, error: 'The user rejected permission to use this.' }
  const effects = dialogue.onLine(
    record('tool_use', { part: { type: 'tool', tool: 'bash', callID: 'c', state } }),
    'stdout',
  )
  expect(types(effects).slice(-3)).toEqual(['approval_request', 'approval_denied', 'tool_error'])
  dialogue.onLine(record('error', { error: 'run ended with an auto-rejected permission' }), 'stdout')
  expect(outcome(exit(dialogue, 1))).toBeUndefined()
})

test('a command that was aborted has not gone well', () => {
  const output = 'a\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>'
  const state = { status: 'completed', input: {}, output, metadata: { output } }
  const effects = run().onLine(record('tool_use', { part: { tool: 'bash', callID: 'c', state } }), 'stdout')
  expect(events(effects)).toContainEqual(expect.objectContaining({ type: 'shell_stdout_delta', delta: 'a' }))
  expect(types(effects).at(-1)).toBe('tool_error')
})

test('tools of the servers of the run are known by their names', () => {
  const dialogue = run({ mcpServers: [{ name: 'tiny', command: 'x' }] })
  const state = { status: 'completed', input: {}, output: 'pong' }
  const effects = dialogue.onLine(record('tool_use', { part: { tool: 'tiny_echo', callID: 'c', state } }), 'stdout')
  expect(events(effects)).toContainEqual(expect.objectContaining({ type: 'mcp_tool_result', server: 'tiny' }))
})

test('an unknown record is counted, and silence is drift', () => {
  expect(run().onLine('{"type":"new"}', 'stdout')).toContainEqual({ unrecognized: 'new' })
  expect(outcome(exit(run(), 0))?.kind).toBe('protocol_drift')
  expect(outcome(exit(run(), 1, 'Error: Session not found'))).toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

describe('over ACP', () => {
  const endpoint = { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' }
  const speak = (reported: Effect[], options: Partial<RunOptions> = {}) => {
    const commands: object[] = []
    const acp: Dialogue = {
      start: () => [],
      onLine: () => reported,
      onExit: () => [],
      onCommand: (command) => {
        commands.push(command)
        return []
      },
    }
    return { dialogue: liveDialogue(opencode, { prompt: '', ...options }, acp), commands }
  }
  const failure = (evidence: string): Effect => ({
    fail: { event: { type: 'interrupted' }, outcome: { kind: 'failed', code: 'MODEL_ERROR', evidence } },
  })

  test('models have the names that the caller uses', () => {
    const { dialogue, commands } = speak([{ model: 'amux/m' }], { endpoint, model: 'm' })
    expect(dialogue.onLine('{}', 'stdout')).toEqual([{ model: 'm' }])
    dialogue.onCommand({ type: 'set_model', model: 'n' })
    expect(commands).toEqual([{ type: 'set_model', model: 'amux/n' }])
  })

  test('a failed try that the log reported is a retry once the model answers', () => {
    const { dialogue } = speak([])
    dialogue.onLine(failedTry('busy'), 'stderr')
    expect(types(dialogue.onLine('{"sessionUpdate":"agent_message_chunk"}', 'stdout'))).toEqual(['retry'])
  })

  test('a model whose provider offers none lacks credentials', () => {
    const { dialogue } = speak([failure('model not found: p/m')])
    expect(outcome(dialogue.onLine('{"configOptions":[{"value":"q/m"}]}', 'stdout'))?.kind).toBe('auth_required')
    expect(outcome(dialogue.onLine('{"configOptions":[{"value":"p/n"}]}', 'stdout'))?.kind).toBe('failed')
  })

  test('a session that cannot be opened is missing', () => {
    const { dialogue } = speak([failure('OpenCode service failure')], { sessionId: 'x' })
    expect(outcome(dialogue.onLine('{}', 'stdout'))).toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  test('the tool that starts a sub-agent reports it, and a cost of 0 is not reported', () => {
    const call = { toolCallId: 'c', toolName: 'task', input: { subagent_type: 'general', prompt: 'go' } }
    const ready = speak([{ emit: { type: 'tool_call_ready', ...call } }]).dialogue
    expect(types(ready.onLine('{}', 'stdout'))).toEqual(['tool_call_ready', 'subagent_spawn'])
    const cost = { totalUsd: 0, inputTokens: 0, outputTokens: 0 }
    expect(speak([{ emit: { type: 'cost', cost } }]).dialogue.onLine('{}', 'stdout')).toEqual([])
  })

  test('a command that was aborted has not gone well', () => {
    const result: Effect = { emit: { type: 'tool_result', toolCallId: 'c', toolName: 'bash', output: '' } }
    const { dialogue } = speak([{ emit: { type: 'shell_exit', exitCode: 0, toolCallId: 'c' } }, result])
    const effects = events(dialogue.onLine('… User aborted the command …', 'stdout'))
    expect(effects).toMatchObject([{ type: 'shell_exit', exitCode: -1 }, { type: 'tool_error' }])
  })
})
