import { describe, expect, test } from 'vitest'
import type { Fact, Sign } from '../../contract/activity.ts'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { AgentEvent } from '../../contract/events.ts'
import type { LaunchRecord, LaunchResult } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { QuotaStatus } from '../../contract/quota.ts'
import { completeDraft } from '../../core/complete-draft.ts'
import { addFact, noEvidence } from '../../core/evidence.ts'
import { historyOf, replayPrompt } from './history.ts'
import { launchSpec } from './launch-spec.ts'
import { notificationsOf, notifiedOf } from './notifications.ts'
import { limitEnd, outcomeOf } from './outcome.ts'
import { admit } from './queue.ts'
import { quotaOf } from './quota.ts'
import { beginLaunch, newSession, type SessionRecord, viewOf } from './record.ts'
import { reduceHook, reduceRecords } from './reduce.ts'
import { planRestore, type RestoreFacts } from './restore-plan.ts'
import { sendCommand } from './send-command.ts'
import { isSettingUp } from './transcripts.ts'
import { dayOf, nextDay, usageSince } from './usage.ts'

function event(draft: AgentEventDraft, at = 10): AgentEvent {
  completeDraft(draft, { runId: 'r', agent: 'claude', timestamp: at })
  return draft
}

const account = (id: string) => ({ id, endpoint: null, key: null, profile: null })

function session(more: Partial<SessionRecord> = {}): SessionRecord {
  const fresh = newSession({
    ...{ id: 'abcd', name: null, agent: 'claude', mode: 'headless', options: { keepOpen: true }, terminal: null },
    ...{ workspace: { kind: 'directory', path: '/w' }, secretOptions: [], createdAt: 1 },
  })
  return { ...beginLaunch(fresh, 1, 1), ...more }
}

/** The session after these events, one second apart. */
function take(start: SessionRecord, ...drafts: AgentEventDraft[]): SessionRecord {
  return reduceRecords(start, records(...drafts))
}

function records(...drafts: AgentEventDraft[]): LaunchRecord[] {
  return drafts.map((draft, index) => ({ n: index + 1, frame: 1, event: event(draft, (index + 1) * 1000) }))
}

const ASK: AgentEventDraft = {
  ...{ type: 'approval_request', interactionId: 'i1', action: 'shell', detail: 'rm x', riskLevel: 'high' },
}

describe('what records make of a session', () => {
  test('a withdrawn attempt leaves no summary, no turn and no question, but what it has cost', () => {
    const withdrawn: AgentEventDraft = {
      ...{ type: 'attempt_withdrawn', attempt: 1, reason: 'overloaded', scope: 'run', text: 'Hel', toolCallIds: [] },
    }
    const before = take(
      session(),
      ...([{ type: 'turn_start' }, { type: 'message_stop', text: 'Hel' }, ASK] satisfies AgentEventDraft[]),
      { type: 'token_usage', inputTokens: 10, outputTokens: 2, model: 'm' },
    )
    expect(viewOf(before)).toMatchObject({ summary: 'Hel', pending: [{ id: 'i1' }] })
    const after = viewOf(take(before, withdrawn))
    expect(after.summary ?? null).toBeNull()
    expect(after).toMatchObject({ pending: [], usage: { turns: 0, inputTokens: 10 } })
  })

  test('the same, in one page or in many', () => {
    const page = records(
      { type: 'session_start', sessionId: 's1', resumed: false },
      { type: 'turn_start' },
      { type: 'text_delta', delta: 'a' },
      { type: 'text_delta', delta: 'b' },
      { type: 'message_stop', text: 'ab' },
      ASK,
      { type: 'approval_granted', interactionId: 'i1' },
      { type: 'token_usage', inputTokens: 10, outputTokens: 2, cacheReadTokens: 3, model: 'm' },
      { type: 'cost', cost: { totalUsd: 0.5, inputTokens: 10, outputTokens: 2 } },
      { type: 'turn_end' },
    )
    const whole = reduceRecords(session(), page)
    const { since: _since, ...activity } = viewOf(whole).activity
    const byOne = page.reduce((state, one) => reduceRecords(state, [one]), session())
    expect(viewOf(byOne)).toMatchObject({ ...viewOf(whole), activity })
    expect(viewOf(whole)).toMatchObject({
      ...{ agentSessionId: 's1', summary: 'ab', model: 'm', pending: [], updatedAt: 10_000 },
      usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 3, turns: 1, costUsd: 0.5, unpricedTokens: 0 },
      activity: { state: 'idle', source: 'protocol' },
    })
  })

  test('tokens without a price are counted as such, never as nothing', () => {
    const unpriced = take(session(), { type: 'token_usage', inputTokens: 10, outputTokens: 2 })
    expect(viewOf(unpriced).usage).toMatchObject({ costUsd: null, unpricedTokens: 12 })
    const next = take(beginLaunch(unpriced, 2, 5), {
      type: 'cost',
      cost: { totalUsd: 1, inputTokens: 1, outputTokens: 1 },
    })
    expect(viewOf(next).usage, 'of all launches').toMatchObject({ costUsd: 1, unpricedTokens: 12, inputTokens: 10 })
  })

  test('a cost by list prices is marked as such, also in the sum of all launches', () => {
    const cost = (totalUsd: number, source: 'agent' | 'price-table') =>
      ({ type: 'cost', cost: { totalUsd, inputTokens: 1, outputTokens: 1, source } }) as const
    const guessed = take(session(), cost(1, 'price-table'))
    expect(viewOf(guessed).usage).toMatchObject({ costUsd: 1, isEstimated: true })
    expect(viewOf(take(guessed, cost(2, 'agent'))).usage).not.toHaveProperty('isEstimated')
    const next = take(beginLaunch(guessed, 2, 5), cost(3, 'agent'))
    expect(viewOf(next).usage).toMatchObject({ costUsd: 4, isEstimated: true })
  })

  test('questions are pending until they are answered, or their turn is over', () => {
    const asked = take(session(), { type: 'turn_start' }, ASK)
    expect(viewOf(asked)).toMatchObject({ activity: { state: 'blocked' }, pending: [{ id: 'i1', type: 'approval' }] })
    expect(viewOf(take(asked, { type: 'approval_denied', interactionId: 'i1' })).pending).toEqual([])
    expect(viewOf(take(asked, { type: 'turn_end' })).pending).toEqual([])
  })

  test('a limit that ends the turn is kept with its end, and forgotten with the next turn', () => {
    const limited = take(
      session(),
      { type: 'turn_start' },
      { type: 'rate_limited', resetAt: 99_000 },
      { type: 'error', code: 'QUOTA_EXHAUSTED', message: 'Limit reached', recoverable: false },
      { type: 'turn_end' },
    )
    expect(limited.limit).toEqual({ until: 99_000, why: 'Limit reached' })
    expect(take(limited, { type: 'turn_start' }).limit).toBeNull()
    const passing = take(session(), { type: 'rate_limited', retryAfterMs: 5 }, { type: 'turn_end' })
    expect(passing.limit, 'one that the agent waits for itself').toBeNull()
  })

  test('a hook names its launch, without the secrets of its text', () => {
    const key = `sk-${'a1B2'.repeat(10)}`
    const next = reduceHook(
      session({ mode: 'terminal' }),
      { evidence: { state: 'active' }, metadata: { title: `use ${key}` } },
      50,
    )
    expect(viewOf(next)).toMatchObject({
      title: 'use [redacted]',
      activity: { state: 'active', source: 'hook', at: 50 },
    })
  })

  test('counts that a hook hints at are used until exact ones are known', () => {
    const hinted = reduceHook(session(), { metadata: { usage: { inputTokens: 1000 } } }, 50)
    expect(viewOf(hinted).usage).toMatchObject({ inputTokens: 1000, outputTokens: 0, costUsd: null })
    const counted = take(hinted, { type: 'token_usage', inputTokens: 7, outputTokens: 2 })
    expect(viewOf(counted).usage).toMatchObject({ inputTokens: 7, outputTokens: 2 })
  })

  test('hooks of a headless agent add what its stream leaves out, and neither open nor close a dialog', () => {
    const begin: AgentEventDraft[] = [
      { type: 'session_start', sessionId: 's1', resumed: false },
      { type: 'turn_start' },
    ]
    const begun = take(session(), ...begin)
    const reported = { agentSessionId: 's1', summary: 'by hook', transcriptPath: '/t' }
    const named = reduceHook(begun, { evidence: { state: 'idle' }, metadata: reported }, 5000)
    expect(viewOf(named)).toMatchObject({ transcriptPath: '/t', activity: { state: 'active', source: 'protocol' } })
    const other = reduceHook(begun, { metadata: { agentSessionId: 's2', transcriptPath: '/other' } }, 5000)
    expect(viewOf(other)).toMatchObject({ agentSessionId: 's1', transcriptPath: null })
    expect(viewOf(reduceHook(begun, { evidence: { state: 'blocked' } }, 5000)).activity.state).toBe('active')
    const asked = take(session(), ...begin, ASK)
    expect(viewOf(reduceHook(asked, { evidence: { state: 'idle', closes: true } }, 5000)).activity.state).toBe(
      'blocked',
    )
    const forked = take(named, { type: 'session_fork', sessionId: 's3', forkedFrom: 's1' })
    expect(viewOf(forked), 'another conversation').toMatchObject({ agentSessionId: 's3', transcriptPath: null })
  })

  test('an agent that still asks for its setup has no conversation to be found', () => {
    const seen = (sign: Sign) => addFact(noEvidence(1), { ...sign, source: 'screen', at: 5, launch: 1 })
    expect(isSettingUp(seen({ state: 'blocked', dialog: 'setup', detail: 'it asks for a theme' }))).toBe(true)
    expect(isSettingUp(seen({ state: 'blocked', dialog: 'permission' }))).toBe(false)
    expect(isSettingUp(seen({ state: 'idle' }))).toBe(false)
    expect(isSettingUp(noEvidence(1))).toBe(false)
  })

  test('an exited session is exited, whatever was said last, and says why', () => {
    const idle = take(session(), { type: 'turn_start' }, { type: 'turn_end' })
    const gone = { ...idle, isLive: false, outcome: { kind: 'crashed', evidence: 'it was killed' } } as const
    expect(viewOf(gone).activity).toMatchObject({ state: 'exited', why: 'it was killed' })
    expect(viewOf(session({ waitsFor: 'a place' })).activity).toMatchObject({ state: 'spawning', why: 'a place' })
  })

  test('nobody sees that it has exited before it is known how', () => {
    const crash: AgentEventDraft = { type: 'crash', exitCode: 1, stderr: '' }
    const crashed = take(session(), { type: 'turn_start' }, crash)
    expect(viewOf(crashed)).toMatchObject({ isLive: true, outcome: null, activity: { state: 'active' } })
    const gone: Fact = { state: 'exited', source: 'process', at: 1, launch: 1, detail: 'its runner is gone' }
    expect(viewOf(session({ evidence: addFact(noEvidence(1), gone) })).activity).toMatchObject({
      state: 'unknown',
      why: 'its runner is gone; how it ended is not known yet',
    })
    const judged = { ...crashed, isLive: false, outcome: { kind: 'crashed', evidence: 'exit code 1' } } as const
    expect(viewOf(judged)).toMatchObject({ outcome: { kind: 'crashed' }, activity: { state: 'exited' } })
  })
})

describe('a session that was killed at a limit', () => {
  const turnEndedBy = (outcome: Outcome) => take(session(), { type: 'turn_start' }, { type: 'turn_end', outcome })
  const killed = { isLive: false, outcome: { kind: 'cancelled', evidence: 'it was killed' } } as const
  const spent: Outcome = { kind: 'quota_exhausted', evidence: 'Credit balance is too low' }

  test('still reports the limit, as far as it is known', () => {
    const { activity, limit } = viewOf({ ...turnEndedBy(spent), ...killed })
    expect(limit).toEqual({ until: null, why: 'Credit balance is too low' })
    expect(activity.why).toBe('it was killed; at its limit: quota_exhausted: Credit balance is too low')
    const until = Date.parse('2027-01-01T00:00:00Z')
    const known = viewOf({ ...turnEndedBy(spent), ...killed, limit: { until, why: 'spent' } })
    expect(known.activity.why).toBe(
      'it was killed; limited until 2027-01-01T00:00:00.000Z: quota_exhausted: Credit balance is too low',
    )
  })

  test('and one that went on since does not', () => {
    const { activity, limit } = viewOf({ ...turnEndedBy({ kind: 'completed' }), ...killed })
    expect([limit, activity.why]).toEqual([null, 'it was killed'])
  })
})

describe('who is notified', () => {
  const busy = take(session(), { type: 'turn_start' })
  const kindsOf = (before: SessionRecord, now: SessionRecord) =>
    notificationsOf(notifiedOf(before), now).map(({ kind }) => kind)
  const ended = (kind: 'completed' | 'crashed' | 'cancelled'): SessionRecord => ({
    ...busy,
    isLive: false,
    outcome: kind === 'completed' ? { kind } : { kind, evidence: 'e' },
  })

  test.each<[string, SessionRecord, SessionRecord, string | null]>([
    ['a dialog', busy, take(busy, ASK), 'blocked'],
    ['no new one', take(busy, ASK), take(busy, ASK, { type: 'debug', level: 'info', message: 'x' }), null],
    ['a second one', take(busy, ASK), take(busy, ASK, { ...ASK, interactionId: 'i2' }), 'blocked'],
    [
      'a question',
      busy,
      take(busy, { type: 'input_required', interactionId: 'q', question: 'Which?', source: 'agent' }),
      'waiting',
    ],
    ['the end of a turn', busy, take(busy, { type: 'turn_end' }), 'finished'],
    [
      'a turn that began and ended at once',
      session(),
      take(session(), { type: 'turn_start' }, { type: 'turn_end' }),
      'finished',
    ],
    [
      'a turn that failed',
      busy,
      take(busy, { type: 'turn_end', outcome: { kind: 'failed', code: 'MODEL_ERROR', evidence: 'no' } }),
      'failed',
    ],
    ['an end in the middle of work', busy, ended('completed'), 'finished'],
    [
      'an end after its last turn, which was told',
      take(busy, { type: 'turn_end' }),
      { ...notifiedOf(take(busy, { type: 'turn_end' })), isLive: false, outcome: { kind: 'completed' } },
      null,
    ],
    ['a crash', busy, ended('crashed'), 'failed'],
    ['a turn that was ended with its agent', busy, ended('cancelled'), 'interrupted'],
    [
      'not of an idle agent that somebody has ended',
      take(busy, { type: 'turn_end' }),
      { ...notifiedOf(take(busy, { type: 'turn_end' })), isLive: false, outcome: { kind: 'cancelled', evidence: 'e' } },
      null,
    ],
    ['not of work', busy, take(busy, { type: 'text_delta', delta: 'x' }), null],
  ])('%s', (_what, before, now, kind) => {
    expect(kindsOf(before, now)).toEqual(kind === null ? [] : [kind])
  })
})

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
