import { describe, expect, test } from 'vitest'
import { ASK, records, session, take } from '../../../test/support/session-samples.ts'
import type { Fact, Sign } from '../../contract/activity.ts'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { addFact, noEvidence } from '../../core/evidence.ts'
import { beginLaunch, viewOf } from './record.ts'
import { reduceHook, reduceRecords } from './reduce.ts'
import { isSettingUp } from './transcripts.ts'

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
