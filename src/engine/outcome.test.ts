import { describe, expect, test } from 'vitest'
import { bareAdapter, capabilities, model } from '../../test/support/adapters.ts'
import type { TurnFailure } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { gateCapabilities } from '../core/gate-capabilities.ts'
import { ulid } from '../core/ulid.ts'
import { type Ending, judge } from './outcome.ts'
import { replay } from './replay.ts'
import { validateOptions } from './validate-options.ts'

const ended: Ending = {
  ...{ stop: null, failure: null, deniedTools: [], openQuestions: [], openApprovals: [] },
  ...{ exitCode: 0, signal: null, stderr: '', endedByUs: false },
}
const failure: TurnFailure = {
  event: { type: 'auth_error', message: 'who are you?', guidance: '' },
  outcome: { kind: 'auth_required', evidence: 'who are you?' },
}
const crashed: TurnFailure = {
  event: { type: 'crash', exitCode: 1, stderr: '' },
  outcome: { kind: 'crashed', evidence: 'x' },
}
const cancelled: TurnFailure = { event: { type: 'interrupted' }, outcome: { kind: 'cancelled', evidence: 'x' } }

describe('the verdict', () => {
  test.each<[string, Partial<Ending>, string, string, string | null, string | null]>([
    ['a clean exit', {}, 'completed', 'completed', null, null],
    ['an abort weighs most', { stop: 'aborted', failure, exitCode: 1 }, 'cancelled', 'aborted', 'aborted', 'ABORTED'],
    ['an interrupt', { stop: 'interrupted', failure: cancelled }, 'cancelled', 'interrupted', 'interrupted', 'ABORTED'],
    ['a timeout', { stop: 'timeout' }, 'timed_out', 'timeout', 'timeout', 'TIMEOUT'],
    ['inactivity', { stop: 'inactivity' }, 'timed_out', 'inactivity', 'timeout', 'INACTIVITY_TIMEOUT'],
    ['a failed turn, exit 0', { failure }, 'auth_required', 'crashed', 'auth_error', 'AUTH_ERROR'],
    [
      'a failure before a denied tool',
      { failure, deniedTools: ['x'] },
      'auth_required',
      'crashed',
      'auth_error',
      'AUTH_ERROR',
    ],
    ['a denied tool, exit 0', { deniedTools: ['x'] }, 'permission_blocked', 'completed', null, null],
    ['an approval nobody gave', { openApprovals: ['x'] }, 'permission_blocked', 'completed', null, null],
    ['a question nobody answered', { openQuestions: ['x'] }, 'question_unanswered', 'completed', null, null],
    ['an exit code', { exitCode: 2 }, 'crashed', 'crashed', 'crash', 'AGENT_CRASH'],
    ['an exit code after our goodbye', { exitCode: 2, endedByUs: true }, 'completed', 'completed', null, null],
    ['KILL from outside', { exitCode: null, signal: 'SIGKILL' }, 'crashed', 'killed', 'crash', 'AGENT_CRASH'],
    [
      'KILL of one that waits for a limit to pass',
      { exitCode: null, signal: 'SIGKILL', retrying: { kind: 'rate_limit', reason: '429', retryAfterMs: 1000 } },
      'rate_limited',
      'killed',
      'error',
      'RATE_LIMITED',
    ],
    [
      'TERM of one that waits for a limit to pass',
      { failure: cancelled, exitCode: 143, retrying: { kind: 'rate_limit', reason: '429' } },
      'rate_limited',
      'killed',
      'error',
      'RATE_LIMITED',
    ],
    [
      'an interrupt of one that waits for a limit to pass',
      { failure: cancelled, exitCode: 130, retrying: { kind: 'rate_limit', reason: '429' } },
      'cancelled',
      'killed',
      'interrupted',
      'ABORTED',
    ],
    ['TERM from outside', { exitCode: null, signal: 'SIGTERM' }, 'cancelled', 'killed', 'crash', 'ABORTED'],
    [
      'a crash by signal',
      { failure: crashed, exitCode: null, signal: 'SIGSEGV' },
      'crashed',
      'killed',
      'crash',
      'AGENT_CRASH',
    ],
    [
      'a cancelled turn and 143',
      { failure: cancelled, exitCode: 143 },
      'cancelled',
      'killed',
      'interrupted',
      'ABORTED',
    ],
    [
      'no process',
      { failure: crashed, exitCode: null, spawnFailed: true },
      'crashed',
      'crashed',
      'crash',
      'SPAWN_ERROR',
    ],
  ])('%s', (_, ending, kind, exitReason, terminal, code) => {
    const verdict = judge({ ...ended, ...ending })
    expect(verdict.outcome.kind).toBe(kind)
    expect(verdict.exitReason).toBe(exitReason)
    expect(verdict.terminal?.type ?? null).toBe(terminal)
    expect(verdict.error?.code ?? null).toBe(code)
  })
})

describe('gateCapabilities', () => {
  const gate =
    (options: Partial<RunOptions>, able = {}) =>
    () =>
      gateCapabilities({ agent: 'fake', prompt: 'x', ...options }, capabilities('fake', able), [
        model('fake', 'clever', { supportsThinking: true, thinkingEffortLevels: ['low'], supportsImageInput: true }),
      ])

  test.each<[string, Partial<RunOptions>, object]>([
    ['sessionResume', { sessionId: 's' }, { canResume: false }],
    ['sessionFork', { forkSessionId: 's' }, {}],
    ['newSessionId', { newSessionId: 's' }, { supportsSessionId: false }],
    ['noSession', { noSession: true }, { supportsEphemeral: false }],
    ['textStreaming', { stream: true }, { supportsTextStreaming: false }],
    ['thinking', { thinkingEffort: 'low' }, {}],
    ['thinkingEffort', { thinkingEffort: 'max', model: 'clever' }, {}],
    ['thinkingBudgetTokens', { thinkingBudgetTokens: 2000 }, {}],
    ['thinkingOverride', { thinkingOverride: {} }, { supportsThinking: true, supportsThinkingOverride: false }],
    ['jsonMode', { outputFormat: 'json' }, {}],
    ['skills', { skills: ['a'] }, {}],
    ['agentsMd', { agentsDoc: 'x' }, {}],
    ['mcp', { mcpServers: [{ name: 'a', command: 'b' }] }, {}],
    ['imageInput', { attachments: [{ base64: '', mimeType: 'image/png' }] }, {}],
    ['fileAttachments', { attachments: [{ filePath: '/a' }] }, {}],
    ['addDirs', { addDirs: ['/a'] }, { supportsAddDirs: false }],
    ['toolLists', { allowedTools: ['a'] }, { supportsToolLists: false }],
    ['approvalMode', { approvalMode: 'accept-edits' }, {}],
    ['policy', { policy: { version: 1, rules: [] } }, { supportsApprovals: false }],
    ['systemPromptMode', { systemPrompt: 'x', systemPromptMode: 'replace' }, { systemPromptModes: ['append'] }],
    ['systemPromptMode', { systemPrompt: 'x' }, { systemPromptModes: ['replace'] }],
    ['imageInput', { attachments: [{ filePath: '/a.png' }] }, { supportsFileAttachments: true }],
  ])('%s', (capability, options, able) => {
    expect(gate(options, able)).toThrow(expect.objectContaining({ code: 'CAPABILITY_ERROR', capability }))
  })

  test('what the model can, or an empty list, passes', () => {
    expect(gate({ thinkingEffort: 'low', model: 'clever' })).not.toThrow()
    expect(gate({ attachments: [{ base64: '', mimeType: 'image/png' }], model: 'clever' })).not.toThrow()
    expect(gate({ skills: [], mcpServers: [], allowedTools: [], addDirs: [], approvalMode: 'prompt' })).not.toThrow()
    expect(gate({ addDirs: ['/a'], allowedTools: ['a'], newSessionId: 's', noSession: true })).not.toThrow()
  })
})

describe('validateOptions', () => {
  const good: Record<keyof Omit<RunOptions, 'agent' | 'prompt'>, [unknown, unknown]> = {
    systemPrompt: ['', null],
    systemPromptMode: ['append', 'before'],
    attachments: [[{ filePath: '/a' }], [{ filePath: '/a', url: 'b' }]],
    model: ['m', ''],
    thinkingEffort: ['max', 'most'],
    thinkingBudgetTokens: [1024, 1023],
    thinkingOverride: [{}, []],
    temperature: [2, 2.1],
    lenient: [true, 'yes'],
    topP: [0, -0.1],
    topK: [1, 0],
    maxTokens: [1, 1.5],
    maxOutputTokens: [1, '1'],
    sessionId: ['s', ' '],
    forkSessionId: ['s', 1],
    noSession: [false, 'no'],
    newSessionId: ['s', ''],
    stream: ['auto', 'yes'],
    outputFormat: ['jsonl', 'xml'],
    outputSchema: [{}, 'x'],
    cwd: ['/', '/no/such/directory'],
    addDirs: [['/a'], '/a'],
    env: [{ A: '1' }, { A: 1 }],
    passEnv: [['A'], [1]],
    timeout: [0, -1],
    inactivityTimeout: [0, 0.5],
    firstEventTimeout: [0, -1],
    limitGraceMs: [0, -1],
    outageGraceMs: [0, -1],
    retryMaxWaitMs: [0, -1],
    exitGraceMs: [0, -1],
    maxTurns: [1, 0],
    maxCostUsd: [0, Number.NaN],
    policy: [
      { version: 1, rules: [{ deny: { kind: 'edit' } }] },
      { version: 1, rules: [{ forbid: {} }] },
    ],
    price: [{ input: 3, output: 15, cacheRead: 0 }, { input: 3 }],
    approvalMode: ['accept-edits', 'ask'],
    allowedTools: [[], 'a'],
    disallowedTools: [[], 'a'],
    onInputRequired: [() => '', 'x'],
    onApprovalRequest: [() => 'deny', 'x'],
    skills: [['a'], 'a'],
    agentsDoc: ['', 1],
    mcpServers: [[{ name: 'a', transport: 'sse', url: 'u' }], [{ name: 'a b', command: 'c' }]],
    endpoint: [
      { baseUrl: 'http://x', apiKey: 'k' },
      { baseUrl: 'x', apiKey: 'k' },
    ],
    retryPolicy: [{ maxRetries: 0 }, { baseDelayMs: 10, maxDelayMs: 5 }],
    tags: [['a'], 'a'],
    projectId: ['p', ''],
    continuedFrom: ['claude:x', ''],
    profile: ['p', '../p'],
    runId: [ulid(0), 'r'],
    collectEvents: [true, 1],
    debug: [true, 'true'],
    gracePeriodMs: [0, -1],
    eventBufferSize: [100, 99],
    invocation: [{ mode: 'local' }, { mode: 'moon' }],
    nonInteractive: [true, 1],
    keepOpen: [true, 1],
    signal: [new AbortController().signal, {}],
  }

  test.each(Object.entries(good))('%s', (field, [fine, bad]) => {
    const check = (value: unknown) => () =>
      Reflect.apply(validateOptions, null, [{ agent: 'a', prompt: 'x', [field]: value }])
    expect(check(fine)).not.toThrow()
    expect(check(undefined)).not.toThrow()
    expect(check(bad)).toThrow(expect.objectContaining({ fields: [expect.objectContaining({ field })] }))
    expect(check(null)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  })
})

describe('replay', () => {
  const read = (lines: unknown[], rest: object = {}) =>
    replay(
      bareAdapter('fake'),
      { stdout: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')), ...rest },
      { runId: ulid(0), now: () => 5 },
    )

  test('gives the events and the result of the run it was recorded from', () => {
    const { events, result } = read([{ type: 'text_delta', delta: 'hi' }, { type: 'turn_end' }])
    expect(events.map((event) => event.type)).toEqual([
      ...['session_start', 'turn_start', 'message_start', 'text_delta', 'message_stop', 'turn_end', 'session_end'],
    ])
    expect(result).toMatchObject({ text: 'hi', turnCount: 1, outcome: { kind: 'completed' }, exitCode: 0 })
  })

  test('a fatal error, an exit code and a signal are reported as in a run', () => {
    const error = { type: 'error', code: 'MODEL_ERROR', message: 'no', recoverable: false }
    expect(read([error]).result.outcome).toMatchObject({ kind: 'failed', code: 'MODEL_ERROR' })
    expect(read([error]).events.filter((event) => event.type === 'error')).toHaveLength(1)
    expect(read([], { exitCode: 3, stderr: Buffer.from('bad\n') }).result).toMatchObject({
      exitCode: 3,
      outcome: { kind: 'crashed', evidence: 'exit code 3: bad' },
    })
    expect(read([], { signal: 'SIGKILL' }).result).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      exitReason: 'killed',
    })
  })
})
