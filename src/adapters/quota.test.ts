import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { quotaStatus } from '../core/quota.ts'
import { replay } from '../engine/replay.ts'
import { ClaudeAdapter } from './claude/index.ts'
import { quota as claude } from './claude/quota.ts'
import { quota as codex, planWindows as codexWindows } from './codex/quota.ts'
import { quota as copilot, planWindows as copilotWindows } from './copilot/quota.ts'
import { framedMessages } from './kit/inquiry.ts'

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const at = Date.parse('2026-11-15T20:14:42.000Z')

describe('quota of a plan', () => {
  it('of claude, from its answer to get_usage', () => {
    const rate_limits = { five_hour: { utilization: 42, resets_at: '2026-11-15T20:14:42.000Z' }, seven_day: null }
    const answer = (response: object) =>
      lines({ type: 'control_response', response: { subtype: 'success', request_id: 'get_usage', response } })
    expect(claude.read(lines({ type: 'control_response', response: { request_id: 'initialize' } }), '')).toBeNull()
    expect(claude.read(answer({ rate_limits }), '')).toEqual([
      { windowType: 'five_hour', usedPercentage: 42, resetsAt: at, isExhausted: false },
    ])
    expect(claude.read(answer({ rate_limits: null }), '')).toEqual([])
  })

  it('of claude, reported while it works', () => {
    const fixture = new URL('claude/fixtures/2.1.325/j-oauth-text/stdout.jsonl', import.meta.url)
    const { result } = replay(new ClaudeAdapter(), { stdout: readFileSync(fixture) }, { runId: 'r', now: () => 7 })
    expect(result.quota).toMatchObject({ isRateLimited: false, earliestResetAt: 1794772386000, measuredAt: 7 })
    expect(result.quota?.windows).toEqual([
      { windowType: 'five_hour', usedPercentage: 42, resetsAt: 1794772386000, isExhausted: false },
    ])
  })

  it('of codex', () => {
    const primary = { usedPercent: 100, windowDurationMins: 300, resetsAt: 1794773436 }
    const spent = { windowType: 'primary', usedPercentage: 100, resetsAt: 1794773436000, isExhausted: true }
    expect(codexWindows({ primary, secondary: null })).toEqual([spent])
    expect(codex.read(lines({ id: 1, result: {} }), '')).toBeNull()
    expect(codex.read(lines({ id: 1, result: {} }, { id: 2, result: { rateLimits: { primary } } }), '')).toEqual([
      spent,
    ])
    const message = 'codex account authentication required to read rate limits'
    expect(codex.read(lines({ error: { code: -32600, message }, id: 2 }), '')).toEqual([])
  })

  it('of copilot', () => {
    const snapshot = { remainingPercentage: 25, resetDate: '2026-11-15T20:14:42.000Z', isUnlimitedEntitlement: false }
    const window = { windowType: 'premium_interactions', usedPercentage: 75, resetsAt: at, isExhausted: false }
    const quotaSnapshots = { premium_interactions: snapshot, chat: { isUnlimitedEntitlement: true } }
    const answer = framedMessages([{ id: 0, result: { quotaSnapshots } }])
    expect(copilot.read(answer, '')).toEqual([window])
    expect(copilot.read(answer.slice(0, -9), '')).toBeNull()
    const spent = { ...snapshot, remainingPercentage: 0 }
    expect(copilotWindows({ a: spent, b: { ...spent, usageAllowedWithExhaustedQuota: true } })).toMatchObject([
      { isExhausted: true },
      { isExhausted: false },
    ])
  })

  it('is limited until the first of the spent windows begins again', () => {
    const window = (resetsAt: number | null, isExhausted: boolean) => ({
      ...{ windowType: `${resetsAt}`, usedPercentage: null, resetsAt, isExhausted },
    })
    const limited = quotaStatus('claude', [window(5, false), window(9, true), window(null, true)], 1, 'cli')
    expect(limited).toMatchObject({ isRateLimited: true, earliestResetAt: 9, measuredAt: 1 })
    expect(quotaStatus('claude', [window(5, false), window(9, false)], 1, 'cli')).toMatchObject({
      isRateLimited: false,
      earliestResetAt: 5,
    })
  })
})
