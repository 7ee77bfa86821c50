import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filterEvents, isTerminalEvent } from '../src/contract/event-guards.ts'
import { collect, temporaryDirectory } from './support/client.ts'
import { talkingClient } from './support/talking.ts'

const agent = 'talks'

describe('retry', () => {
  const flaky = (times: number, kind: string, ms = '') =>
    `flaky:${encodeURIComponent(join(temporaryDirectory(), 'count'))},${times},${kind}${ms === '' ? '' : `,${ms}`} done`
  const fast = { baseDelayMs: 10, maxDelayMs: 20, jitterFactor: 0 }

  test('off without a policy', async () => {
    const { events, result } = await collect(talkingClient().run({ agent, prompt: flaky(1, 'crash') }))
    expect(result.outcome.kind).toBe('crashed')
    expect(filterEvents(events, 'retry')).toEqual([])
  })

  test('numbers the retries from 1, counts them against maxRetries, and succeeds', async () => {
    const { events, result } = await collect(
      talkingClient().run({ agent, prompt: flaky(2, 'crash'), retryPolicy: { ...fast, maxRetries: 3 } }),
    )
    expect(filterEvents(events, 'retry')).toMatchObject([
      { attempt: 1, maxAttempts: 3, delayMs: 10 },
      { attempt: 2, maxAttempts: 3, delayMs: 20 },
    ])
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, text: 'done', error: null })
    expect(filterEvents(events, 'session_start', 'session_end')).toHaveLength(2)
    expect(events.filter(isTerminalEvent)).toEqual([])
  })

  test('exhausted: the last failure stands', async () => {
    const { events, result } = await collect(
      talkingClient().run({ agent, prompt: flaky(9, 'crash'), retryPolicy: { ...fast, maxRetries: 2 } }),
    )
    expect(filterEvents(events, 'retry')).toHaveLength(2)
    expect(result).toMatchObject({ outcome: { kind: 'crashed' }, exitCode: 9, error: { code: 'AGENT_CRASH' } })
    expect(events.filter(isTerminalEvent)).toHaveLength(1)
  })

  test('only what retryOn names', async () => {
    const run = (kind: string, retryOn: string[]) =>
      collect(talkingClient().run({ agent, prompt: flaky(1, kind), retryPolicy: { ...fast, retryOn } }))
    expect((await run('server', ['MODEL_ERROR'])).result.outcome.kind).toBe('completed')
    expect((await run('server', ['RATE_LIMITED'])).result.outcome.kind).toBe('failed')
    expect((await run('auth', ['RATE_LIMITED'])).result.outcome.kind).toBe('auth_required')
    // A quota does not come back in seconds: not transient, so not retried even when it is named.
    expect((await run('quota', ['QUOTA_EXHAUSTED'])).result.outcome.kind).toBe('quota_exhausted')
  })

  test('a rate limit waits for the announced reset', async () => {
    const { events, result } = await collect(
      talkingClient().run({ agent, prompt: flaky(1, 'rate_limit', '37'), retryPolicy: fast }),
    )
    expect(filterEvents(events, 'retry')).toMatchObject([{ attempt: 1, delayMs: 37 }])
    expect(result.outcome.kind).toBe('completed')
  })

  test('inactivity is retried with its delay when it is named', async () => {
    const count = join(temporaryDirectory(), 'count')
    const handle = talkingClient().run({
      agent,
      prompt: `flaky:${encodeURIComponent(count)},0,crash stall`,
      inactivityTimeout: 250,
      gracePeriodMs: 50,
      retryPolicy: { ...fast, maxRetries: 1, baseDelayMs: 2000, maxDelayMs: 2000, retryOn: ['INACTIVITY_TIMEOUT'] },
    })
    const { events, result } = await collect(handle)
    const at = events.findIndex((event) => event.type === 'retry')
    expect((events[at + 1]?.timestamp ?? 0) - (events[at]?.timestamp ?? 0)).toBeGreaterThanOrEqual(1900)
    expect(result.exitReason).toBe('inactivity')
  })

  test('abort during the wait ends the run at once', async () => {
    const handle = talkingClient().run({
      agent,
      prompt: flaky(1, 'crash'),
      retryPolicy: { baseDelayMs: 60_000, maxDelayMs: 60_000 },
    })
    handle.once('retry', () => setImmediate(() => void handle.abort()))
    expect((await handle).exitReason).toBe('aborted')
  })

  test('the shouldRetry hook decides; one that throws means no', async () => {
    const asked: [string, number][] = []
    const prompt = flaky(2, 'crash')
    const yes = talkingClient({
      shouldRetry(event, attempt) {
        asked.push([event.type, attempt])
        return attempt < 5
      },
    })
    expect((await yes.run({ agent, prompt, retryPolicy: fast })).outcome.kind).toBe('completed')
    expect(asked).toEqual([
      ['crash', 0],
      ['crash', 1],
    ])
    const broken = talkingClient({
      shouldRetry() {
        throw new Error('oops')
      },
    })
    const { events, result } = await collect(broken.run({ agent, prompt: flaky(1, 'crash'), retryPolicy: fast }))
    expect(result.outcome.kind).toBe('crashed')
    expect(filterEvents(events, 'retry')).toEqual([])
  })
})
