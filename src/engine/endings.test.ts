import { expect, test } from 'vitest'
import { bareAdapter } from '../../test/support/adapters.ts'
import { collect, testClient, types } from '../../test/support/client.ts'
import { createDialogue as continueDialogue } from '../adapters/continue/dialogue.ts'
import { opencodeRunDialogue } from '../adapters/families/opencode/dialogue.ts'
import { dialect } from '../adapters/opencode/dialect.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { RunOptions } from '../contract/run-options.ts'

/** A program that prints these lines and stays, or leaves with 0. */
function run(lines: (AgentEventDraft | string)[], then: 'stay' | 'leave', options: Partial<RunOptions> = {}) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const script = `console.log(${JSON.stringify(text)});${then === 'stay' ? 'setInterval(() => {}, 1000)' : ''}`
  const seen: string[] = []
  const { parseEvent } = bareAdapter('fake')
  const adapter = bareAdapter(
    'fake',
    { args: ['-e', script], closeStdinAfterSpawn: true },
    {
      parseEvent(line, context) {
        seen.push(line)
        return parseEvent(line, context)
      },
    },
  )
  const running = collect(testClient([adapter]).run({ agent: 'fake', prompt: 'x', gracePeriodMs: 200, ...options }))
  return running.then((reported) => ({ ...reported, seen }))
}

const RETRY: AgentEventDraft = { type: 'retry', attempt: 1, maxAttempts: 10, reason: '429', delayMs: 1 }

test('an agent that has its result and stays is ended, and the result is kept', async () => {
  const said: AgentEventDraft[] = [{ type: 'text_delta', delta: 'Done.' }, { type: 'turn_end' }]
  const { result } = await run(said, 'stay', { exitGraceMs: 30 })
  expect(result).toMatchObject({ text: 'Done.', outcome: { kind: 'completed' }, error: null })
})

test('an agent that only tries again at a limit is ended after the grace, with what it had', async () => {
  const said: AgentEventDraft[] = [{ type: 'text_delta', delta: 'Half' }, { type: 'message_stop', text: '' }, RETRY]
  const { result } = await run(said, 'stay', { limitGraceMs: 30 })
  expect(result).toMatchObject({ text: 'Half', outcome: { kind: 'rate_limited', evidence: '429' } })
})

test.each([
  ['You exceeded your current quota, please check your plan and billing details.', 'quota_exhausted'],
  ['Resource has been exhausted (e.g. check quota).', 'rate_limited'],
  ['You exceeded your current quota. Please retry in 12s.', 'rate_limited'],
])('one that only tries again for "%s" is %s', async (reason, kind) => {
  const { result } = await run([{ ...RETRY, reason }], 'stay', { limitGraceMs: 30 })
  expect(result.outcome).toMatchObject({ kind, evidence: reason })
})

test('at once when the limit is known to last longer', async () => {
  const { result } = await run([RETRY, { type: 'rate_limited', retryAfterMs: 3_600_000 }], 'stay')
  expect(result.outcome).toMatchObject({ kind: 'rate_limited', retryAfterMs: 3_600_000 })
})

test('a retry policy does not wait for a limit that lasts longer than the longest wait', async () => {
  const tomorrow = { type: 'rate_limit_error', message: 'try again in 20 hours' } as const
  const policy = { maxRetries: 3, baseDelayMs: 1, maxDelayMs: 1 }
  const far = await run([tomorrow], 'leave', { retryPolicy: policy })
  expect(types(far.events)).not.toContain('retry')
  expect(far.result.outcome).toMatchObject({ kind: 'rate_limited' })
  expect(far.result.outcome).toHaveProperty('retryAfterMs', expect.closeTo(72_000_000, -5))
  const near: AgentEventDraft = { type: 'rate_limit_error', message: 'slow down', retryAfterMs: 20 }
  const retries = (max: number) =>
    run([near], 'leave', { retryPolicy: { ...policy, maxRetries: 1 }, retryMaxWaitMs: max }).then(
      ({ events }) => types(events).filter((type) => type === 'retry').length,
    )
  expect(await Promise.all([retries(10), retries(50), retries(0)])).toEqual([0, 1, 1])
})

test('one that gets on is left alone', async () => {
  const said: AgentEventDraft[] = [RETRY, { type: 'text_delta', delta: 'Done.' }, { type: 'turn_end' }]
  const { result } = await run(said, 'stay', { limitGraceMs: 20, exitGraceMs: 120 })
  expect(result).toMatchObject({ text: 'Done.', outcome: { kind: 'completed' } })
})

test('what parseEvent says of a limit counts, whatever the exit code, and is retried by policy', async () => {
  const limit: AgentEventDraft = { type: 'rate_limit_error', message: 'slow down', retryAfterMs: 1 }
  const once = await run([limit], 'leave')
  expect(once.result.outcome).toMatchObject({ kind: 'rate_limited', evidence: 'slow down' })
  const again = await run([limit], 'leave', { retryPolicy: { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 1 } })
  expect(types(again.events).filter((type) => type === 'retry')).toHaveLength(1)
})

test('a limit that the agent gets over by itself is not how the run ends; what it cut is withdrawn', async () => {
  const limit: AgentEventDraft = { type: 'rate_limit_error', message: 'slow down' }
  const [half, good]: AgentEventDraft[] = ['Half', 'Good'].map((delta) => ({ type: 'text_delta', delta }))
  const error: AgentEventDraft = { type: 'error', code: 'MODEL_ERROR', message: '500', recoverable: true }
  for (const fault of [limit, error]) {
    const { events, result } = await run([half, fault, good] as AgentEventDraft[], 'leave')
    expect(result).toMatchObject({ text: 'Good', outcome: { kind: 'completed' } })
    expect(events.find(({ type }) => type === 'attempt_withdrawn')).toMatchObject({ scope: 'response', text: 'Half' })
    // The end of what was cut is not another answer.
    const cut = await run([half, fault, { type: 'message_stop', text: 'Half' }] as AgentEventDraft[], 'leave')
    expect(cut.result.outcome.kind).toBe(fault === limit ? 'rate_limited' : 'failed')
  }
  const told = await run([half, limit, RETRY, good] as AgentEventDraft[], 'leave')
  expect(told.result).toMatchObject({ text: 'Good', outcome: { kind: 'completed' } })
  expect(types(told.events).filter((type) => type === 'retry')).toHaveLength(1)
})

test('an agent that waits at the limit is ended after the grace, or at once when it lasts longer', async () => {
  const limit: AgentEventDraft = { type: 'rate_limit_error', message: 'slow down' }
  const waited = await run([limit], 'stay', { limitGraceMs: 30 })
  expect(waited.result.outcome).toMatchObject({ kind: 'rate_limited', evidence: 'slow down' })
  const far = await run([{ ...limit, retryAfterMs: 3_600_000 }], 'stay')
  expect(far.result.outcome).toMatchObject({ kind: 'rate_limited', retryAfterMs: 3_600_000 })
  const ended = await run([limit, { type: 'turn_end' }], 'stay', { exitGraceMs: 30 })
  expect(ended.result.outcome).toMatchObject({ kind: 'rate_limited', evidence: 'slow down' })
})

test('one that only reports a limit, or that it tries again, and leaves, has not completed', async () => {
  for (const last of [RETRY, { type: 'rate_limited', retryAfterMs: 9 } satisfies AgentEventDraft]) {
    expect((await run([last], 'leave')).result.outcome.kind).toBe('rate_limited')
  }
  const remark: AgentEventDraft[] = [{ type: 'message_stop', text: 'Done.' }, { type: 'rate_limited' }]
  expect((await run(remark, 'leave')).result).toMatchObject({ text: 'Done.', outcome: { kind: 'completed' } })
})

test('an error that nothing follows is how the run failed, and is retried by policy', async () => {
  const said: AgentEventDraft = { type: 'text_delta', delta: 'Half' }
  const error: AgentEventDraft = { type: 'error', code: 'MODEL_ERROR', message: '500', recoverable: true }
  const once = await run([said, error, { type: 'turn_end' }], 'leave')
  expect(once.result).toMatchObject({ outcome: { kind: 'failed', code: 'MODEL_ERROR', evidence: '500' } })
  const retryPolicy = { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 1, retryOn: ['MODEL_ERROR' as const] }
  const again = await run([said, error], 'leave', { retryPolicy })
  expect(types(again.events).filter((type) => type === 'retry')).toHaveLength(1)
  const recovered = await run([error, said], 'leave', { retryPolicy })
  expect(recovered.result).toMatchObject({ text: 'Half', outcome: { kind: 'completed' } })
})

test('a limit that is reported as an error is retried only when it can be recovered from', async () => {
  const retryPolicy = { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 1 }
  for (const recoverable of [false, true]) {
    const error: AgentEventDraft = { type: 'error', code: 'RATE_LIMITED', message: 'slow down', recoverable }
    const { events, result } = await run([error], 'leave', { retryPolicy })
    expect(types(events).filter((type) => type === 'retry')).toHaveLength(recoverable ? 1 : 0)
    expect(result.outcome).toMatchObject({ kind: 'rate_limited', evidence: 'slow down' })
  }
})

test('a limit until a time of day ends at the next such time', async () => {
  const limit: AgentEventDraft = { type: 'rate_limit_error', message: 'Limit reached · resets 8:40pm' }
  const { outcome } = (await run([limit], 'leave')).result
  const waitMs = outcome.kind === 'rate_limited' ? (outcome.retryAfterMs ?? -1) : -1
  expect(waitMs).toBeGreaterThanOrEqual(0)
  expect(waitMs).toBeLessThan(25 * 3_600_000)
  const error: AgentEventDraft = {
    type: 'error',
    code: 'QUOTA_EXHAUSTED',
    message: 'resets at 3am',
    recoverable: false,
  }
  const spent = (await run([error], 'leave')).result.outcome
  expect(new Date(spent.kind === 'quota_exhausted' ? (spent.resetAt ?? 0) : 0).getHours()).toBe(3)
})

test('blank lines do not reach parseEvent', async () => {
  const { seen } = await run(['', '   ', JSON.stringify({ type: 'turn_end' }), ''], 'leave')
  expect(seen).toEqual(['{"type":"turn_end"}'])
})

test('an adapter that decides itself is asked about the limit that its parseEvent reported', async () => {
  const limit: AgentEventDraft = { type: 'rate_limit_error', message: 'slow down', retryAfterMs: 1 }
  const asked: string[] = []
  const script = `console.log(${JSON.stringify(JSON.stringify(limit))})`
  const adapter = bareAdapter(
    'fake',
    { args: ['-e', script], closeStdinAfterSpawn: true },
    {
      shouldRetry(event, attempt) {
        asked.push(`${event.type} ${attempt}`)
        return attempt === 0
      },
    },
  )
  const retryPolicy = { maxRetries: 9, baseDelayMs: 1, maxDelayMs: 1 }
  const { result } = await collect(testClient([adapter]).run({ agent: 'fake', prompt: 'x', retryPolicy }))
  expect(asked).toEqual(['rate_limit_error 0', 'rate_limit_error 1'])
  expect(result.outcome.kind).toBe('rate_limited')
})

test('so it is with one that prints its answer as plain text, however it leaves then', async () => {
  for (const onTerm of ['', "process.on('SIGTERM', () => process.exit(143));", "process.on('SIGTERM', () => {});"]) {
    const script = `${onTerm}console.error('a warning');console.log('One.\\n\\nTwo.');setInterval(() => {}, 1000)`
    const adapter = bareAdapter(
      'fake',
      { args: ['-e', script], closeStdinAfterSpawn: true },
      { createDialogue: continueDialogue },
    )
    const graces = { exitGraceMs: 200, gracePeriodMs: 200 }
    const { result } = await collect(testClient([adapter]).run({ agent: 'fake', prompt: 'x', ...graces }))
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, text: 'One.\n\nTwo.', turnCount: 1, error: null })
  }
})

test('an agent that only ends after its answer, and hangs instead, is ended; its answer is kept', async () => {
  const step = { messageID: 'm1', sessionID: 's1' }
  const records = [
    { type: 'step_start', sessionID: 's1', part: step },
    { type: 'text', sessionID: 's1', part: { ...step, text: 'Done.' } },
    { type: 'step_finish', sessionID: 's1', part: { ...step, reason: 'stop', tokens: { input: 3, output: 2 } } },
  ]
  const lines = records.map((record) => `console.log(${JSON.stringify(JSON.stringify(record))});`)
  const script = `${lines.join('')}setInterval(() => {}, 1000)`
  const adapter = bareAdapter(
    'fake',
    { args: ['-e', script], closeStdinAfterSpawn: true },
    { createDialogue: (options) => opencodeRunDialogue(dialect, options) },
  )
  const { result } = await collect(
    testClient([adapter]).run({ agent: 'fake', prompt: 'x', exitGraceMs: 200, gracePeriodMs: 200 }),
  )
  expect(result).toMatchObject({ outcome: { kind: 'completed' }, text: 'Done.', exitReason: 'completed' })
})

test('one that only tries again at a server that is down has failed, in the words of the server, with a next step', async () => {
  const half: AgentEventDraft[] = [
    { type: 'text_delta', delta: 'Half' },
    { type: 'message_stop', text: '' },
  ]
  const said = [...half, { ...RETRY, reason: '503 Down for repair.' }]
  const { result } = await run(said, 'stay', { outageGraceMs: 30 })
  expect(result).toMatchObject({ text: 'Half', outcome: { kind: 'failed', code: 'MODEL_ERROR' } })
  expect(result.error?.message).toMatch(/^503 Down for repair\. .*outageGraceMs \(--outage-grace\)/)
})
