import { describe, expect, test } from 'vitest'
import { ASK, account, event, records, session, take } from '../../../test/support/session-samples.ts'
import type { LaunchResult } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { QuotaStatus } from '../../contract/quota.ts'
import { historyOf, replayPrompt } from './history.ts'
import { launchSpec } from './launch-spec.ts'
import { limitEnd, outcomeOf } from './outcome.ts'
import { admit } from './queue.ts'
import { quotaOf } from './quota.ts'
import type { SessionRecord } from './record.ts'
import { reduceRecords } from './reduce.ts'
import { planRestore, type RestoreFacts } from './restore-plan.ts'
import { sendCommand } from './send-command.ts'
import { dayOf, nextDay, usageSince } from './usage.ts'

describe('a message', () => {
  const say = (one: SessionRecord, when?: 'now' | 'next-turn' | 'steer') => sendCommand(one, { text: 't', when })
  const idle = take(session(), { type: 'turn_start' }, { type: 'turn_end' })
  const busy = take(session(), { type: 'turn_start' })
  const asking = take(busy, { type: 'input_required', interactionId: 'q', question: 'Which?', source: 'agent' })

  test('reaches the agent as its state allows', () => {
    expect(say(idle)).toEqual({ command: 'send', text: 't' })
    expect(say(busy)).toEqual({ command: 'queue', text: 't', when: 'next-turn' })
    expect(say(busy, 'steer')).toEqual({ command: 'steer', text: 't' })
    expect(say(asking)).toMatchObject({ command: 'respond', interactionId: 'q', response: { text: 't' } })
    expect(say({ ...idle, mode: 'terminal' })).toEqual({ command: 'send', text: 't' })
  })

  test('is refused where it could do harm, or nobody is there', () => {
    expect(() => say(take(busy, ASK))).toThrow('blocked')
    expect(() => say(take(busy, ASK), 'steer')).toThrow('blocked')
    expect(() => say(busy, 'now')).toThrow('under way')
    expect(() => say({ ...idle, isLive: false })).toThrow('exited')
    expect(() => say({ ...idle, waitsFor: 'a place' })).toThrow('not started yet')
  })
})

describe('the queue', () => {
  const queued = [
    { id: '1', agent: 'claude', account: 'a' },
    { id: '2', agent: 'codex', account: 'a' },
    { id: '3', agent: 'codex', account: 'a' },
  ]
  const view = { queued, live: 0, maxLive: 10, parked: [], budget: null, now: 100 }

  test('lets in as many as there is room for, the oldest first', () => {
    expect(admit(view).start).toEqual(['1', '2', '3'])
    const { start, waits } = admit({ ...view, live: 8 })
    expect(start).toEqual(['1', '2'])
    expect(waits.get('3')).toMatchObject({ for: 'place', position: 1, why: expect.stringContaining('10 of 10') })
    expect(admit({ ...view, live: 12 }).start).toEqual([])
  })

  test('an agent at its limit waits, and holds nobody up', () => {
    const parked = [{ agent: 'claude', account: account('a'), until: 500, why: 'spent' }]
    expect(admit({ ...view, live: 9, parked })).toMatchObject({ start: ['2'], nextAt: 500 })
    const other = [{ agent: 'claude', account: account('b'), until: 500, why: 'spent' }]
    expect(admit({ ...view, parked: other }).start, 'another account').toEqual(['1', '2', '3'])
    expect(admit({ ...view, parked }).waits.get('1')).toMatchObject({ for: 'limit', until: 500, position: 1 })
    expect(admit({ ...view, parked, now: 501 }).start).toEqual(['1', '2', '3'])
  })

  test('a spent budget holds all', () => {
    expect(admit({ ...view, budget: { until: 900, why: 'spent' } })).toMatchObject({
      start: [],
      nextAt: 900,
    })
  })
})

test('what is known of limits: who is parked, and the newest word on each plan', () => {
  const window = { windowType: 'five_hour', usedPercentage: 40, resetsAt: 900, isExhausted: false }
  const status = (agent: string, measuredAt: number, source: 'run' | 'cli'): QuotaStatus => ({
    ...{ agent, measuredAt, source, windows: [window], isRateLimited: false, earliestResetAt: 900 },
  })
  const a = account('a')
  const parked = [{ agent: 'claude', account: a, until: 500, why: 'spent' }]
  const runs = [status('codex', 7, 'run'), status('codex', 5, 'run')].map((one) => ({ account: a, status: one }))
  expect(quotaOf({ parked, reported: runs })).toEqual([
    { agent: 'claude', account: a, parkedUntil: 500, why: 'spent', status: null },
    { agent: 'codex', account: a, parkedUntil: null, why: null, status: runs[0]?.status },
  ])
  const asked = { account: null, status: status('codex', 9, 'cli') }
  expect(quotaOf({ parked: [], reported: [...runs, asked] }), 'each account has its own').toHaveLength(2)
})

test('a limit without a known end is kept, too, until a turn of the account goes well', () => {
  const a = account('a')
  const spent: Outcome = { kind: 'quota_exhausted', evidence: 'Credit balance is too low' }
  const turn = (at: number, outcome: Outcome) => ({ agent: 'claude', account: a, at, outcome })
  const row = { agent: 'claude', account: a, parkedUntil: null, why: 'Credit balance is too low', status: null }
  expect(quotaOf({ parked: [], reported: [], ended: [turn(9, spent), turn(5, { kind: 'completed' })] })).toEqual([row])
  expect(quotaOf({ parked: [], reported: [], ended: [turn(5, spent), turn(9, { kind: 'completed' })] })).toEqual([])
})

describe('how a conversation comes back', () => {
  const facts: RestoreFacts = {
    session: {
      isLive: false,
      metadata: { agentSessionId: 'n1' },
      workspace: { kind: 'directory', path: '/w' },
      mode: 'headless',
    },
    ...{ workspaceExists: true, unstartable: null, conversation: { resumable: true }, hasHistory: true },
  }

  test.each<[string, Partial<RestoreFacts>, string]>([
    ['natively', {}, 'native'],
    ['repeated when the agent has lost it', { conversation: { resumable: false, reason: 'gone' } }, 'replay'],
    [
      'repeated when it never had a name',
      { session: { ...facts.session, metadata: {} }, conversation: null },
      'replay',
    ],
    ['from the start when nothing was said', { conversation: null, hasHistory: false }, 'fresh'],
    ['not while it runs', { session: { ...facts.session, isLive: true } }, 'impossible'],
    ['not without its directory', { workspaceExists: false }, 'impossible'],
    ['not without its agent', { unstartable: 'not installed' }, 'impossible'],
  ])('%s', (_how, more, kind) => {
    expect(planRestore({ ...facts, ...more }).kind).toBe(kind)
  })

  test('what is repeated fits, and says what it leaves out', () => {
    const history = historyOf([
      { seq: 1, kind: 'message', sessionId: 's', message: { launch: 1, text: 'first', at: 1 } },
      {
        seq: 2,
        kind: 'event',
        sessionId: 's',
        launch: 1,
        n: 1,
        event: event({ type: 'message_stop', text: 'answer' }),
      },
    ])
    expect(replayPrompt(history, 'go')).toMatch(/User: first\n\nAgent: answer[\s\S]*go$/)
    const long = replayPrompt(Array(50).fill({ who: 'Agent', text: 'x'.repeat(5000) }), 'go')
    expect(long.length).toBeLessThan(70_000)
    expect(long).toContain('earlier messages are left out')
  })
})

test('a budget is for the whole session', () => {
  const spent = take(session({ options: { maxCostUsd: 2 } }), {
    type: 'cost',
    cost: { totalUsd: 0.5, inputTokens: 1, outputTokens: 1 },
  })
  expect(launchSpec(spent, 'p', 5).options).toMatchObject({ maxCostUsd: 1.5, prompt: 'p', cwd: '/w' })
})

describe('how a launch ended', () => {
  const result: LaunchResult = {
    ...{ format: 1, launchId: 'x', endedAt: 5, how: 'ended', result: null, exit: null, error: null, records: 0 },
  }

  test.each<[Partial<LaunchResult>, string | null, string]>([
    [{ exit: { exitCode: 0, signal: null } }, null, 'completed'],
    [{ exit: { exitCode: 1, signal: null } }, null, 'crashed'],
    [{ exit: { exitCode: null, signal: 'SIGKILL' } }, null, 'crashed'],
    [{ exit: { exitCode: null, signal: 'SIGTERM' } }, 'it was killed', 'cancelled'],
    [{ how: 'lost' }, null, 'crashed'],
    [{ how: 'refused', error: { code: 'SPAWN_ERROR', message: 'm' } }, null, 'failed'],
    [{ error: { code: 'BUDGET_EXCEEDED', message: 'm' } }, null, 'budget_exceeded'],
  ])('%o', (more, killedBecause, kind) => {
    expect(outcomeOf({ ...result, ...more }, { killedBecause }).kind).toBe(kind)
  })

  test('a terminal ends as its last turn did', () => {
    const outcome = { kind: 'quota_exhausted', evidence: 'spent' } as const
    const turn = { startedAt: 1, endedAt: 2, outcome, isNotified: true }
    const exit = { exitCode: 0, signal: null }
    expect(outcomeOf({ ...result, exit }, { killedBecause: null, turn })).toEqual(outcome)
  })

  test('and until when a limit holds', () => {
    expect(limitEnd({ kind: 'quota_exhausted', evidence: 'e', resetAt: 9 }, 1)).toBe(9)
    expect(limitEnd({ kind: 'rate_limited', evidence: 'e', retryAfterMs: 9 }, 1)).toBe(10)
    expect(limitEnd({ kind: 'rate_limited', evidence: 'e' }, 1)).toBeNull()
    expect(limitEnd({ kind: 'completed' }, 1)).toBeNull()
    // What a terminal shows.
    expect(limitEnd({ kind: 'quota_exhausted', evidence: 'Limit reached · resets 3am (UTC)' }, 1)).toBe(3 * 3_600_000)
  })
})

test('what was used goes to the model that used it, and the sums agree', () => {
  const page = records(
    { type: 'token_usage', inputTokens: 10, outputTokens: 1, model: 'big' },
    { type: 'token_usage', inputTokens: 5, outputTokens: 2, model: 'small' },
    { type: 'cost', cost: { totalUsd: 0.25, inputTokens: 15, outputTokens: 3 } },
    { type: 'turn_end' },
  )
  const before = session()
  const used = usageSince(before, reduceRecords(before, page), page)
  expect(used.get('big')).toMatchObject({
    inputTokens: 10,
    outputTokens: 1,
    costUsd: 0.25,
    turns: 1,
    unpricedTokens: 0,
  })
  expect(used.get('small')).toMatchObject({ inputTokens: 5, outputTokens: 2, costUsd: null })
})

test('days are those of the clock on the wall', () => {
  const noon = new Date(2026, 0, 31, 12).getTime()
  expect(dayOf(noon)).toBe('2026-01-31')
  expect(dayOf(nextDay(noon))).toBe('2026-02-01')
  expect(dayOf(nextDay(noon) - 1)).toBe('2026-01-31')
})
