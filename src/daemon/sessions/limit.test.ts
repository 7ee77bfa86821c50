import { describe, expect, test } from 'vitest'
import { atLimit, leastWait } from './limit.ts'
import { notificationsOf, notifiedOf } from './notifications.ts'
import { newSession, type SessionRecord } from './record.ts'
import { reduceRecords } from './reduce.ts'

const HOUR = 3_600_000
const START = 1_790_000_000_000

const session = (more: Partial<SessionRecord> = {}): SessionRecord => ({
  ...newSession({
    ...{ id: 'k3v9m2qd', name: null, agent: 'claude', mode: 'headless', options: { keepOpen: true }, terminal: null },
    ...{ workspace: { kind: 'directory', path: '/work' }, secretOptions: [], createdAt: START, staysOpen: true },
  }),
  launch: 1,
  isLive: true,
  ...more,
})

/** A session that continues as soon as it may, on an endpoint that always says "in a second". */
function stubbornFor(duration: number): { tries: number; notified: number; waits: number[] } {
  const seen = { tries: 0, notified: 0, waits: [] as number[] }
  let [now, record] = [START, session()]
  while (now < START + duration && seen.tries < 100_000) {
    seen.tries += 1
    const next = { ...record, ...atLimit({ ...record, limit: null }, now + 1000, 'rate limited', now) }
    const end = { outcome: { kind: 'rate_limited', evidence: 'rate limited' } as const, endedAt: now, summary: null }
    const sent = notificationsOf(record, { ...next, unnotified: [end] })
    seen.notified += sent.length
    seen.waits.push((next.limit?.until ?? 0) - now)
    record = notifiedOf(next, sent)
    now = next.limit?.until ?? Number.POSITIVE_INFINITY
  }
  return seen
}

describe('a limit that is reached again and again', () => {
  test('is waited for longer each time, up to an hour', () => {
    expect([1, 2, 3, 4, 9, 10, 5000].map(leastWait)).toEqual([0, 30_000, 60_000, 120_000, HOUR, HOUR, HOUR])
    const day = stubbornFor(24 * HOUR)
    expect(day.tries).toBeLessThan(35)
    expect(Math.max(...day.waits)).toBe(HOUR)
  })

  test('is notified at once, and then once an hour at most', () => {
    expect(stubbornFor(HOUR / 2).notified).toBe(1)
    expect(stubbornFor(24 * HOUR).notified).toBeLessThanOrEqual(25)
    expect(stubbornFor(24 * HOUR).notified).toBeGreaterThan(10)
  })

  test('counts once for a turn, however often it is reported', () => {
    const first = { ...session(), ...atLimit(session(), START + 5000, 'x', START) }
    const again = atLimit(first, START + 7000, 'x', START + 2000)
    expect(again).toMatchObject({ limit: { until: START + 7000 }, limitsInARow: 1 })
  })

  test('is known from the end of the turn where nothing before has said it', () => {
    const end = { type: 'turn_end', runId: 'r', agent: 'claude', timestamp: START, turnIndex: 0 } as const
    const outcome = { kind: 'rate_limited', evidence: 'slow down', retryAfterMs: 4000 } as const
    const after = reduceRecords(session(), [{ n: 1, event: { ...end, outcome } } as never])
    expect(after).toMatchObject({ limit: { until: START + 4000, why: 'slow down' }, limitsInARow: 1 })
    const [sent] = notificationsOf(session(), after)
    expect(sent).toMatchObject({ kind: 'limited', message: expect.stringContaining('limited until') })
    const again = { ...notifiedOf(after, sent ? [sent] : []), limit: null }
    const next = reduceRecords(again, [{ n: 2, event: { ...end, timestamp: START + 5000, outcome } } as never])
    expect(next).toMatchObject({ limit: { until: START + 35_000 }, limitsInARow: 2 })
    expect(notificationsOf(again, next), 'it is no news').toEqual([])
  })

  test('is over with a turn that went well, and so is a limit that the agent got over by itself', () => {
    const limited = { ...session(), ...atLimit(session(), START + 5000, 'x', START) }
    const end = { type: 'turn_end', runId: 'r', agent: 'claude', timestamp: START, turnIndex: 0 } as const
    const after = reduceRecords(limited, [{ n: 1, event: { ...end, outcome: { kind: 'completed' } } } as never])
    expect(after).toMatchObject({ limit: null, limitsInARow: undefined, limitToldAt: undefined })
  })
})
