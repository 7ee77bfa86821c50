import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mcpTool, toolDone, toolReady } from '../adapters/kit/tools.ts'
import type { AgentEvent } from '../contract/events.ts'
import { classifyFailure, failTurn, failureFromStatus } from './failures.ts'
import { parseRecord, textOf } from './json.ts'
import { errorCodeOf, isRetryable, retryDelay } from './retry.ts'
import { isUlid, ulid } from './ulid.ts'
import { addModelUsage, addUsage, emptyUsage, readCostRecord } from './usage.ts'
import { extractVersion, meetsVersion } from './version.ts'

const stamp = { runId: '', agent: 'x', timestamp: 0 }

describe('ulid', () => {
  test('is valid, sorts by time, and does not repeat', () => {
    const ids = [0, 1, 1_700_000_000_000, 2 ** 48 - 1].map(ulid)
    expect(ids.every(isUlid)).toBe(true)
    expect([...ids].sort()).toEqual(ids)
    expect(ulid(1_700_000_000_000).slice(0, 10)).toBe('01HF7YAT00')
    expect(new Set(Array.from({ length: 1000 }, () => ulid(5))).size).toBe(1000)
  })

  test.each([
    '',
    'x'.repeat(26),
    '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    '01ARZ3NDEKTSV4RRFFQ69G5FAI',
    '01arz3ndektsv4rrffq69g5fav',
  ])('%s is none', (text) => expect(isUlid(text)).toBe(false))
})

describe('version', () => {
  test.each([
    ['codex-cli 0.166.0', '0.166.0'],
    ['2.1.325 (Claude Code)', '2.1.325'],
    ['v1.2', '1.2.0'],
    ['no number here', null],
  ])('%s → %s', (output, version) => expect(extractVersion(output)).toBe(version))

  test.each([
    ['1.10.0', '1.9.9', true],
    ['1.9.9', '1.10.0', false],
    ['2.0.0', '2.0.0', true],
    ['2.0', '2.0.1', false],
  ])('%s meets %s: %s', (version, minimum, meets) => expect(meetsVersion(version, minimum)).toBe(meets))
})

describe('usage', () => {
  test('the total is the sum of the parts, in any order', () => {
    const part = fc.record({
      inputTokens: fc.nat(1000),
      outputTokens: fc.nat(1000),
      cacheReadTokens: fc.option(fc.nat(1000), { nil: undefined }),
      cacheCreationTokens: fc.option(fc.nat(1000), { nil: undefined }),
      thinkingTokens: fc.option(fc.nat(1000), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const total = parts.reduce(addUsage, emptyUsage())
        expect(total.totalTokens).toBe(total.inputTokens + total.outputTokens)
        expect(total.cachedTokens).toBe(total.cacheReadTokens)
        expect([...parts].reverse().reduce(addUsage, emptyUsage())).toEqual(total)
        expect(total.inputTokens).toBe(parts.reduce((sum, one) => sum + one.inputTokens, 0))
      }),
    )
  })

  test('an unknown cost stays unknown, a known one adds up', () => {
    const part = { inputTokens: 1, outputTokens: 1 }
    const unknown = addModelUsage(undefined, part)
    expect(unknown.costUsd).toBeNull()
    const known = addModelUsage(unknown, { ...part, costUsd: 0.5 })
    expect(addModelUsage(known, { ...part, costUsd: 0.25 }).costUsd).toBe(0.75)
  })

  test.each([
    [{ total_cost_usd: 0.1, usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 2 } }, 0.1, 3, 4, 2],
    [{ totalUsd: 1, inputTokens: 5, outputTokens: 6, cachedTokens: 1 }, 1, 5, 6, 1],
    [{ prompt_tokens: 7, completion_tokens: 8 }, 0, 7, 8, undefined],
    [{ tokens: { promptTokenCount: 1, candidatesTokenCount: 2 } }, 0, 1, 2, undefined],
  ])('readCostRecord reads %j', (raw, totalUsd, inputTokens, outputTokens, cacheReadTokens) => {
    expect(readCostRecord(raw)).toMatchObject({ totalUsd, inputTokens, outputTokens })
    expect(readCostRecord(raw)?.cacheReadTokens).toBe(cacheReadTokens)
  })

  test.each([null, 3, 'x', [], {}, { total_cost_usd: 'free' }])('readCostRecord of %j is null', (raw) => {
    expect(readCostRecord(raw)).toBeNull()
  })
})

describe('failures', () => {
  test.each([
    ['401 Unauthorized', 'auth'],
    ['Not logged in · Please run /login', 'auth'],
    ['429 Too Many Requests', 'rate_limit'],
    ["You've hit your usage limit", 'quota'],
    ['Your credit balance is too low', 'quota'],
    ['prompt is too long: 210000 tokens', 'context'],
    ['529 overloaded_error', 'overloaded'],
    ['model gpt-9 does not exist', 'model_not_found'],
    ['500 internal server error', 'server'],
    ['stream disconnected before completion', 'network'],
    ['connect ECONNREFUSED', 'network'],
    ['something else', 'unknown'],
    // As other providers say it.
    ['400 input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000', 'context'],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 'context'],
    ['ValidationException: Input is too long for requested model.', 'context'],
    ['prompt token count of 210000 exceeds the limit of 128000', 'context'],
    ['the request exceeds the available context size', 'context'],
    ['Your request exceeded model token limit: 262144', 'context'],
    ['Range of input length should be [1, 129024]', 'context'],
    ['402 This request requires more credits, or fewer max_tokens. You can only afford 1200.', 'quota'],
    ['402 Insufficient Balance', 'quota'],
    ['Your team has used all available credits or reached its monthly spending limit', 'quota'],
    ['429 Rate limit reached for gpt-9 on tokens per min. Add a payment method at /account/billing.', 'rate_limit'],
    ['Rate limit exceeded for API key ending in 0000', 'rate_limit'],
    ['Resource exhausted. Please try again later.', 'rate_limit'],
    ['You exceeded your current quota, please check your plan.\nPlease retry in 2.5s.', 'rate_limit'],
    ['You exceeded your current quota, please check your plan.\nPlease retry in 11h2m3.5s.', 'quota'],
    ['terminated', 'network'],
  ])('%s is %s', (message, kind) => expect(classifyFailure(message)).toBe(kind))

  test.each([
    [401, 'auth'],
    [402, 'quota'],
    [403, 'auth'],
    [404, 'model_not_found'],
    [429, 'rate_limit'],
    [500, 'server'],
    [503, 'overloaded'],
    [529, 'overloaded'],
    [400, undefined],
    [undefined, undefined],
  ])('status %s is %s', (status, kind) => expect(failureFromStatus(status)).toBe(kind))

  test('a rate limit is reported, transient, and carries its wait; auth is neither', () => {
    const [reported, failed] = failTurn('rate_limit', { message: 'slow down', retryAfterMs: 9 })
    expect(reported).toEqual({ emit: { type: 'rate_limit_error', message: 'slow down', retryAfterMs: 9 } })
    expect(failed).toMatchObject({
      fail: { transient: true, outcome: { kind: 'rate_limited', retryAfterMs: 9 }, event: { code: 'RATE_LIMITED' } },
    })
    expect(failTurn('auth', { message: 'who?' })).toMatchObject([
      { fail: { transient: false, event: { type: 'auth_error' }, outcome: { kind: 'auth_required' } } },
    ])
  })
})

describe('retry', () => {
  test('the delay doubles from the base to the maximum, jitter only adds, an announced wait wins', () => {
    const policy = { baseDelayMs: 100, maxDelayMs: 350, jitterFactor: 0.5 }
    expect([0, 1, 2, 3].map((attempt) => retryDelay(policy, attempt, 0))).toEqual([100, 200, 350, 350])
    expect(retryDelay(policy, 0, 1)).toBe(150)
    expect(retryDelay(policy, 0, 1, 5)).toBe(5)
    expect(retryDelay({}, 0, 0)).toBe(1000)
  })

  test('needs a try left, the code in retryOn, and no "recoverable: false"', () => {
    const crash: AgentEvent = { type: 'crash', exitCode: 1, stderr: '', ...stamp }
    const error = (recoverable: boolean): AgentEvent => ({
      type: 'error',
      code: 'TIMEOUT',
      message: '',
      recoverable,
      ...stamp,
    })
    expect(isRetryable(crash, 'AGENT_CRASH', 0, {})).toBe(true)
    expect(isRetryable(crash, 'AGENT_CRASH', 3, {})).toBe(false)
    expect(isRetryable(crash, 'AGENT_CRASH', 0, { retryOn: ['TIMEOUT'] })).toBe(false)
    expect(isRetryable(error(true), 'TIMEOUT', 0, {})).toBe(true)
    expect(isRetryable(error(false), 'TIMEOUT', 0, {})).toBe(false)
  })

  test('every failing event has a code, others have none', () => {
    expect(errorCodeOf({ type: 'timeout', kind: 'run', ...stamp })).toBe('TIMEOUT')
    expect(errorCodeOf({ type: 'timeout', kind: 'inactivity', ...stamp })).toBe('INACTIVITY_TIMEOUT')
    expect(errorCodeOf({ type: 'rate_limit_error', message: '', ...stamp })).toBe('RATE_LIMITED')
    expect(errorCodeOf({ type: 'context_exceeded', usedTokens: 0, maxTokens: 0, ...stamp })).toBe('CONTEXT_EXCEEDED')
    expect(errorCodeOf({ type: 'turn_start', turnIndex: 0, ...stamp })).toBeNull()
  })
})

describe('json', () => {
  test('parseRecord gives objects only, and never throws', () => {
    expect(parseRecord(' {"a":1}')).toEqual({ a: 1 })
    for (const line of ['[1]', '"x"', '{', '', 'null', '{"a":}']) expect(parseRecord(line)).toBeNull()
    fc.assert(fc.property(fc.string(), (line) => void parseRecord(line)))
  })

  test('textOf reads strings, blocks and anything else', () => {
    expect(textOf([{ text: 'a' }, 'b', { image: 1 }])).toBe('a\nb')
    expect(textOf({ a: 1 })).toBe('{"a":1}')
    expect(textOf(null)).toBe('')
  })
})

describe('tools', () => {
  const map = {
    Bash: { kind: 'shell', command: 'command' },
    Write: { kind: 'write', path: 'path', content: 'content' },
  } as const
  const emitted = (effects: readonly object[]) =>
    effects
      .map((effect) => ('emit' in effect ? effect.emit : effect))
      .map((event) => JSON.parse(JSON.stringify(event)).type)

  test('a shell is inside its call, a file event after it, MCP known by its name', () => {
    const shell = { toolCallId: 't', toolName: 'Bash', input: { command: 'ls' } }
    expect(emitted(toolReady(map, shell, '/'))).toEqual(['tool_call_ready', 'shell_start'])
    expect(emitted(toolDone(map, shell, { output: 'x', stdout: 'x' }))).toEqual([
      ...['shell_stdout_delta', 'shell_exit', 'tool_result'],
    ])
    const write = { toolCallId: 't', toolName: 'Write', input: { path: 'a', content: '€' } }
    expect(toolDone(map, write, { output: '', created: true }).at(-1)).toEqual({
      emit: { type: 'file_create', path: 'a', byteCount: 3 },
    })
    expect(mcpTool('mcp__files__read__it')).toEqual({ server: 'files', toolName: 'read__it' })
    expect(emitted(toolDone(map, { ...shell, toolName: 'mcp__a__b' }, { output: '', error: 'no' }))).toEqual([
      ...['mcp_tool_error', 'tool_error'],
    ])
  })
})
