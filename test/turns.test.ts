import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CapabilityError } from '../src/contract/errors.ts'
import { filterEvents, isTerminalEvent } from '../src/contract/event-guards.ts'
import type { AgentEvent, EventOfType } from '../src/contract/events.ts'
import { model } from './support/adapters.ts'
import { collect, temporaryDirectory, types } from './support/client.ts'
import { isAlive, leftOvers } from './support/processes.ts'
import { talk, talkingClient } from './support/talking.ts'
import { until } from './support/until.ts'

const agent = 'talks'

function texts(events: readonly AgentEvent[]): string[] {
  return filterEvents(events, 'message_stop').map((event) => event.text)
}

describe('another turn', () => {
  test('is given to who sends it in a turn_end listener', async () => {
    const handle = talkingClient().run({ agent, prompt: 'one' })
    handle.once('turn_end', () => void handle.send('two'))
    const { events, result } = await collect(handle)
    expect(texts(events)).toEqual(['one', 'two'])
    expect(filterEvents(events, 'turn_start', 'turn_end').map((event) => [event.type, event.turnIndex])).toEqual([
      ['turn_start', 0],
      ['turn_end', 0],
      ['turn_start', 1],
      ['turn_end', 1],
    ])
    expect(result).toMatchObject({ text: 'two', turnCount: 2, outcome: { kind: 'completed' }, sessionId: 's1' })
  })

  test('is given to a listener that takes a few promises to decide, with nobody reading', async () => {
    const handle = talkingClient().run({ agent, prompt: 'one' })
    handle.once('turn_end', async () => {
      for (let i = 0; i < 20; i++) await Promise.resolve()
      await handle.send('two')
    })
    expect(await handle).toMatchObject({ text: 'two', turnCount: 2 })
  })

  test('is given to who sends it in the loop, even after a while', async () => {
    const handle = talkingClient().run({ agent, prompt: 'one' })
    const events: AgentEvent[] = []
    for await (const event of handle) {
      events.push(event)
      if (event.type === 'turn_end' && event.turnIndex === 0) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await handle.send('two')
      }
    }
    expect(texts(events)).toEqual(['one', 'two'])
  })

  test('nobody sends: the run ends by itself', async () => {
    const { events, result } = await collect(talkingClient().run({ agent, prompt: 'one' }))
    expect(texts(events)).toEqual(['one'])
    expect(result).toMatchObject({ turnCount: 1, exitCode: 0, exitReason: 'completed' })
  })

  test('an empty turn counts and ends the run', async () => {
    const { events, result } = await collect(talkingClient().run({ agent, prompt: 'empty' }))
    expect(types(events)).toEqual(['session_start', 'turn_start', 'turn_end', 'session_end'])
    expect(result.turnCount).toBe(1)
  })

  test('an agent that does not leave when told is made to', { timeout: 10_000 }, async () => {
    const handle = talkingClient().run({ agent, prompt: 'pid ignore-eof', gracePeriodMs: 100 })
    const { events, result } = await collect(handle)
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, exitReason: 'completed' })
    const [pid = 0] = filterEvents(events, 'debug').map((event) => Number(event.message.slice(4)))
    expect(pid).toBeGreaterThan(0)
    expect(isAlive(pid)).toBe(false)
  })

  test('keepOpen waits for close()', async () => {
    const handle = talkingClient().run({ agent, prompt: 'one', keepOpen: true })
    let turns = 0
    handle.on('turn_end', () => void turns++)
    await until('the first turn ended', () => turns === 1)
    await handle.send('two')
    await until('the second turn ended', () => turns === 2)
    expect(handle.state).toBe('running')
    await handle.close()
    expect(await handle).toMatchObject({ turnCount: 2, outcome: { kind: 'completed' } })
    await expect(handle.send('three')).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' })
  })

  test('close() lets the running turn finish', { timeout: 10_000 }, async () => {
    const handle = talkingClient().run({ agent, prompt: 'a wait:3500 b', keepOpen: true })
    handle.once('text_delta', () => void handle.close())
    const { events, result } = await collect(handle)
    expect(texts(events)).toEqual(['ab'])
    expect(result.outcome.kind).toBe('completed')
  })

  test('after close() there is none', async () => {
    const handle = talkingClient().run({ agent, prompt: 'wait:200', keepOpen: true })
    await handle.close()
    await expect(handle.send('two')).rejects.toMatchObject({ code: 'STDIN_NOT_AVAILABLE' })
    await handle
  })

  test('each turn of a run that is kept open ends with its own outcome, and the last one is that of the run', async () => {
    const retryPolicy = { maxRetries: 3, baseDelayMs: 1 }
    const handle = talkingClient().run({ agent: 'talks', prompt: 'one fail:server', keepOpen: true, retryPolicy })
    const outcomes: (string | undefined)[] = []
    const prompts = ['two', 'fail:quota', 'hang', 'approve', 'fail:turn_limit']
    handle.interaction.onPending(() => void handle.deny('no'))
    handle.on('text_delta', ({ delta }) => {
      if (delta === 'hanging') void handle.interrupt()
    })
    handle.on('turn_end', ({ outcome }) => {
      outcomes.push(outcome?.kind)
      const next = prompts.shift()
      void (next === undefined ? handle.close() : handle.send(next === 'hang' ? 'hanging hang' : next))
    })
    const { outcome } = await handle
    expect(outcomes).toEqual([
      ...['failed', undefined, 'quota_exhausted', 'cancelled', 'permission_blocked', 'turn_limit'],
    ])
    expect(outcome, 'its agent exited with 0').toMatchObject({ kind: 'turn_limit' })
  })

  test('a failed turn does not end a run that is kept open', async () => {
    const handle = talkingClient().run({ agent, prompt: 'fail:server', keepOpen: true })
    let turns = 0
    handle.on('turn_end', () => void turns++)
    const seen: AgentEvent[] = []
    handle.on('*', (event) => void seen.push(event))
    await until('the first turn ended', () => turns === 1)
    await handle.send('two')
    await until('the second turn ended', () => turns === 2)
    await handle.close()
    expect(await handle).toMatchObject({ text: 'two', outcome: { kind: 'completed' }, error: null })
    expect(filterEvents(seen, 'error')).toMatchObject([{ code: 'MODEL_ERROR', recoverable: true }])
    expect(seen.filter(isTerminalEvent)).toEqual([])
  })
})

describe('queue and steer', () => {
  test('queued prompts go one at a time, in order, after the turn', async () => {
    const handle = talkingClient().run({ agent, prompt: 'wait:100 one' })
    await handle.queue('two')
    await handle.queue('three')
    const { events, result } = await collect(handle)
    expect(texts(events)).toEqual(['one', 'two', 'three'])
    expect(result.turnCount).toBe(3)
  })

  test('after-tool and after-response go at their moment', async () => {
    const handle = talkingClient().run({ agent, prompt: 'wait:100 tool steered message steered' })
    await handle.steer('first', { when: 'after-tool' })
    await handle.steer('second', { when: 'after-response' })
    const { events } = await collect(handle)
    expect(texts(events)).toEqual(['first', 'second'])
  })

  test('a prompt for after a tool that never comes is sent at the end of the turn', async () => {
    const handle = talkingClient().run({ agent, prompt: 'wait:100 one' })
    await handle.queue('two', { when: 'after-tool' })
    expect(texts((await collect(handle)).events)).toEqual(['one', 'two'])
  })

  test('steer reaches the running turn', async () => {
    const handle = talkingClient().run({ agent, prompt: 'tool steered' })
    handle.on('tool_result', () => void handle.steer('left'))
    const { events, result } = await collect(handle)
    expect(texts(events)).toEqual(['left'])
    expect(result.turnCount).toBe(1)
  })

  test('what was queued when the agent crashed is said to be lost', async () => {
    const handle = talkingClient().run({ agent, prompt: 'wait:100 crash:5' })
    await handle.queue('two')
    const { events, result } = await collect(handle)
    expect(result).toMatchObject({ outcome: { kind: 'crashed' }, exitCode: 5, turnCount: 1 })
    expect(filterEvents(events, 'debug').map((event) => event.message)).toEqual([
      '1 queued prompts were never sent: the run ended first',
    ])
  })

  test('a command the agent does not have is a CapabilityError', async () => {
    const handle = talkingClient().run({ agent, prompt: 'wait:100' })
    await expect(handle.setModel('m2')).rejects.toBeInstanceOf(CapabilityError)
    await handle
  })
})

describe('interrupt, abort, pause', () => {
  test('interrupt ends the turn over the protocol', async () => {
    const handle = talkingClient().run({ agent, prompt: 'a hang' })
    handle.once('text_delta', () => void handle.interrupt())
    const { events, result } = await collect(handle)
    expect(result).toMatchObject({ exitReason: 'interrupted', outcome: { kind: 'cancelled' } })
    expect(events.filter(isTerminalEvent).map((event) => event.type)).toEqual(['interrupted'])
  })

  test('an interrupted run takes another turn', async () => {
    const handle = talkingClient().run({ agent, prompt: 'a hang' })
    handle.once('text_delta', () => void handle.interrupt())
    handle.once('turn_end', () => void handle.send('b'))
    const { events, result } = await collect(handle)
    expect(texts(events)).toEqual(['a', 'b'])
    expect(result).toMatchObject({ exitReason: 'completed', outcome: { kind: 'completed' } })
    expect(events.filter(isTerminalEvent)).toEqual([])
  })

  test('abort is idempotent and ends everything', async () => {
    const handle = talkingClient().run({ agent, prompt: 'a hang', gracePeriodMs: 200 })
    const seen: AgentEvent[] = []
    handle.on('*', (event) => void seen.push(event))
    await until('it talks', () => seen.some((event) => event.type === 'text_delta'))
    await Promise.all([handle.abort(), handle.abort()])
    await handle.abort()
    expect(await handle).toMatchObject({
      exitReason: 'aborted',
      outcome: { kind: 'cancelled' },
      error: { code: 'ABORTED' },
    })
    expect(handle.state).toBe('aborted')
    expect(seen.filter((event) => event.type === 'aborted')).toHaveLength(1)
    expect(types(seen).slice(-2)).toEqual(['aborted', 'session_end'])
    expect(leftOvers(handle.runId, [])).toEqual([])
    await expect(handle.send('x')).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' })
    await expect(handle.interrupt()).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' })
  })

  test('an AbortSignal that is aborted already: no process is started', async () => {
    let built = false
    const mux = talkingClient({
      createDialogue: () => {
        built = true
        throw new Error('must not come to this')
      },
    })
    const { events, result } = await collect(mux.run({ agent, prompt: 'a', signal: AbortSignal.abort() }))
    expect(result).toMatchObject({ exitReason: 'aborted', exitCode: null })
    expect(types(events)).toEqual(['session_start', 'aborted', 'session_end'])
    expect(built).toBe(false)
  })

  test('an AbortSignal during the run', async () => {
    const controller = new AbortController()
    const handle = talkingClient().run({ agent, prompt: 'a hang', signal: controller.signal, gracePeriodMs: 200 })
    handle.once('text_delta', () => controller.abort())
    expect((await handle).exitReason).toBe('aborted')
  })

  test('a timeout of the run', async () => {
    const { events, result } = await collect(
      talkingClient().run({ agent, prompt: 'a hang', timeout: 400, gracePeriodMs: 200 }),
    )
    expect(result).toMatchObject({ exitReason: 'timeout', outcome: { kind: 'timed_out' }, error: { code: 'TIMEOUT' } })
    expect(events.find(isTerminalEvent)).toMatchObject({ type: 'timeout', kind: 'run' })
  })

  test('pause stops the process and the inactivity clock; resume lets both go on', async () => {
    const handle = talkingClient().run({ agent, prompt: 'pid a wait:300 b', inactivityTimeout: 3000 })
    const seen: AgentEvent[] = []
    handle.on('*', (event) => void seen.push(event))
    await expect(handle.resume()).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
    await until('it talks', () => seen.some((event) => event.type === 'text_delta'))
    await handle.pause()
    expect(handle.state).toBe('paused')
    await expect(handle.pause()).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
    await new Promise((resolve) => setTimeout(resolve, 3500)) // more than the inactivity timeout
    const paused = types(seen)
    expect(paused.at(-1)).toBe('paused')
    await handle.resume()
    expect(await handle).toMatchObject({ outcome: { kind: 'completed' }, text: 'ab' })
    expect(types(seen)).toContain('resumed')
  })

  test('a paused run can be aborted, and one that is interrupted goes on to end', async () => {
    for (const end of ['abort', 'interrupt'] as const) {
      const handle = talkingClient().run({ agent, prompt: 'a hang', gracePeriodMs: 300 })
      await until('it talks', () => handle.state === 'running')
      await handle.pause()
      await handle[end]()
      expect((await handle).outcome.kind).toBe('cancelled')
      expect(leftOvers(handle.runId, [])).toEqual([])
    }
  })

  test('inactivity counts while the agent works, not while it waits for us', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve', inactivityTimeout: 3000, gracePeriodMs: 100 })
    await until('it asks', () => handle.interaction.pending.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 3500)) // more than the timeout
    await handle.approve()
    expect((await handle).outcome.kind).toBe('completed')
    const stalled = await talkingClient().run({ agent, prompt: 'stall', inactivityTimeout: 300, gracePeriodMs: 100 })
    expect(stalled).toMatchObject({ exitReason: 'inactivity', error: { code: 'INACTIVITY_TIMEOUT' } })
  })
})

describe('approvals and questions', () => {
  const answerOf = (events: readonly AgentEvent[]) => JSON.parse(texts(events)[0] ?? 'null')

  test('prompt: approve() answers, the events tell it', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    handle.on('approval_request', () => setImmediate(() => void handle.approve('fine')))
    const { events, result } = await collect(handle)
    expect(answerOf(events)).toEqual({ type: 'approve', interactionId: 'a1', detail: 'fine' })
    expect(types(events)).toContain('approval_granted')
    expect(result.outcome.kind).toBe('completed')
  })

  test('prompt: deny() makes the run permission_blocked', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    handle.interaction.onPending(() => void handle.deny('no'))
    const { events, result } = await collect(handle)
    expect(answerOf(events)).toEqual({ type: 'deny', interactionId: 'a1', reason: 'no' })
    expect(filterEvents(events, 'approval_denied')).toMatchObject([{ interactionId: 'a1', reason: 'no' }])
    expect(result.outcome).toMatchObject({ kind: 'permission_blocked', tools: ['shell'] })
    expect(result).toMatchObject({ exitReason: 'completed', error: null })
  })

  test('the channel lists what is pending and takes the answer by id', async () => {
    const handle = talkingClient().run({ agent, prompt: 'ask' })
    const [question] = await until('it asks', () => handle.interaction.pending.length > 0 && handle.interaction.pending)
    expect(question).toMatchObject({
      id: 'q1',
      type: 'input',
      runId: handle.runId,
      description: 'which one?',
      detail: { kind: 'input', question: 'which one?', source: 'agent' },
    })
    expect(() => handle.interaction.respond('q2', { type: 'text', text: 'x' })).toThrow(/No interaction q2/)
    handle.interaction.approveAll() // skips questions
    expect(handle.interaction.pending).toHaveLength(1)
    handle.interaction.respond('q1', { type: 'text', text: 'the left one' })
    expect(handle.interaction.pending).toHaveLength(0)
    const { events, result } = await collect(handle)
    expect(answerOf(events)).toEqual({ type: 'answer', interactionId: 'q1', text: 'the left one' })
    expect(result.outcome.kind).toBe('completed')
  })

  test('an approval cannot be answered with text, and nothing pending cannot be approved', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    await expect(handle.approve()).rejects.toMatchObject({ code: 'NO_PENDING_INTERACTION' })
    await until('it asks', () => handle.interaction.pending.length > 0)
    expect(() => handle.interaction.respond('a1', { type: 'text', text: 'yes' })).toThrow(/answer with approve or deny/)
    handle.interaction.denyAll('no')
    expect((await handle).outcome.kind).toBe('permission_blocked')
  })

  test('yolo approves, deny denies without asking the callback', async () => {
    const yolo = await collect(talkingClient().run({ agent, prompt: 'approve', approvalMode: 'yolo' }))
    expect(answerOf(yolo.events)).toMatchObject({ type: 'approve' })
    let asked = 0
    const onApprovalRequest = () => {
      asked += 1
      return 'approve' as const
    }
    const deny = await collect(
      talkingClient().run({ agent, prompt: 'approve', approvalMode: 'deny', onApprovalRequest }),
    )
    expect(answerOf(deny.events)).toMatchObject({ type: 'deny' })
    expect(deny.result.outcome.kind).toBe('permission_blocked')
    expect(asked).toBe(0)
  })

  test('callbacks answer; one that throws denies', async () => {
    const run = (options: object) => collect(talkingClient().run({ agent, prompt: 'approve', ...options }))
    const approved = await run({ onApprovalRequest: async () => 'approve' })
    expect(answerOf(approved.events)).toMatchObject({ type: 'approve' })
    const broken = await run({
      approvalMode: 'yolo',
      onApprovalRequest: () => {
        throw new Error('oops')
      },
    })
    expect(answerOf(broken.events)).toMatchObject({ type: 'deny', reason: 'The callback failed: oops' })
    expect(broken.result.outcome.kind).toBe('permission_blocked')
    const asked = await collect(talkingClient().run({ agent, prompt: 'ask', onInputRequired: async () => 'this' }))
    expect(answerOf(asked.events)).toMatchObject({ type: 'answer', text: 'this' })
  })

  test('a watcher that throws harms nothing', async () => {
    const handle = talkingClient().run({ agent, prompt: 'approve' })
    handle.interaction.onPending(() => {
      throw new Error('oops')
    })
    handle.interaction.onPending(() => void handle.approve())
    const { events, result } = await collect(handle)
    expect(result.outcome.kind).toBe('completed')
    expect(filterEvents(events, 'debug')[0]?.message).toContain('oops')
  })

  test('a question nobody answers is the outcome', async () => {
    const handle = talkingClient().run({ agent, prompt: 'ask' })
    await until('it asks', () => handle.interaction.pending.length > 0)
    await handle.deny('no idea')
    expect((await handle).outcome).toEqual({ kind: 'question_unanswered', evidence: 'which one?' })
  })

  test('an agent that cannot take the answer: CapabilityError, and the request stays open', async () => {
    const mux = talkingClient({
      createDialogue: () => ({
        start: () => [{ write: JSON.stringify({ type: 'user_turn', text: 'approve' }) }],
        onLine: (line) => [{ emit: JSON.parse(line).emit }],
        onCommand: () => null,
        onExit: () => [],
      }),
    })
    const yolo = mux.run({ agent, prompt: 'x', approvalMode: 'yolo', gracePeriodMs: 100 })
    const seen: AgentEvent[] = []
    yolo.on('debug', (event) => void seen.push(event))
    await until('told', () => seen.length > 0)
    expect(filterEvents(seen, 'debug')[0]?.message).toContain('did not reach the agent')
    await expect(yolo.approve()).rejects.toBeInstanceOf(CapabilityError)
    expect(yolo.interaction.pending).toHaveLength(1)
    await yolo.abort()
    expect(yolo.interaction.pending).toHaveLength(0)
  })
})

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

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

describe('an answer that has to fit a schema', () => {
  const right = '{"city":"Ulm"}'

  test('is checked, and typed by a Standard Schema', async () => {
    const schema = z.object({ city: z.string().transform((name) => name.length) })
    const { outcome, structuredOutput } = await answering([said(right)]).run({
      agent,
      prompt: 'x',
      outputSchema: schema,
    })
    expect(outcome.kind).toBe('completed')
    // The type is that of the schema: this compiles.
    const city: number | undefined = structuredOutput?.city
    expect(city).toBe(3)
  })

  test('is asked for once more when it is wrong', async () => {
    const answers = ['{"city":4}', right].map(said)
    const { events, result } = await collect(answering(answers).run({ agent, prompt: 'x', outputSchema: CITY }))
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, structuredOutput: { city: 'Ulm' }, turnCount: 2 })
    expect(events.find(isTerminalEvent)).toBeUndefined()
  })

  test.each([['words'], ['{"city":4}'], ['[]']])('stays wrong: %s', async (wrong) => {
    const { result } = await collect(
      answering([said(wrong), said(wrong)]).run({ agent, prompt: 'x', outputSchema: CITY }),
    )
    expect(result).toMatchObject({
      outcome: { kind: 'output_invalid' },
      error: { code: 'OUTPUT_INVALID' },
      turnCount: 2,
    })
    expect(result.structuredOutput).toBeUndefined()
  })

  test('leaves the outcome of a turn that failed anyway', async () => {
    const { outcome } = await answering(['fail:auth']).run({ agent, prompt: 'x', outputSchema: CITY })
    expect(outcome.kind).toBe('auth_required')
  })

  test('a schema that does not tell its JSON schema is refused, unless it comes with one', async () => {
    const standard = { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) }
    const schema = { '~standard': standard }
    expect(() => talkingClient().run({ agent, prompt: right, outputSchema: schema })).toThrow('JSON schema')
    const pair = { schema, jsonSchema: CITY }
    expect((await answering([said(right)]).run({ agent, prompt: 'x', outputSchema: pair })).structuredOutput).toEqual({
      city: 'Ulm',
    })
  })
})

const said = (text: string) => `encoded:${encodeURIComponent(text)}`

/** Answers the turns with these, one after another. */
function answering(answers: readonly string[]) {
  const left = [...answers]
  return talkingClient({
    createDialogue(options) {
      const next = () => left.shift() ?? 'nothing'
      const dialogue = talk({ ...options, prompt: next() })
      return {
        ...dialogue,
        start: () => dialogue.start(options),
        onCommand: (command) =>
          dialogue.onCommand(command.type === 'user_turn' ? { ...command, text: next() } : command),
      }
    },
  })
}

describe('limits', () => {
  test('maxTurns ends the run at the request too many', async () => {
    const { events, result } = await collect(talkingClient().run({ agent, prompt: 'tool tool tool hang', maxTurns: 2 }))
    expect(result).toMatchObject({ exitReason: 'turn_limit', outcome: { kind: 'turn_limit' } })
    expect(events.find(isTerminalEvent)).toMatchObject({ type: 'turn_limit', maxTurns: 2 })
  })

  test('as many requests as allowed are no fault, in each turn anew', async () => {
    const handle = talkingClient().run({ agent, prompt: 'tool done', maxTurns: 2 })
    handle.once('turn_end', () => void handle.send('tool done'))
    expect(await handle).toMatchObject({ outcome: { kind: 'completed' }, turnCount: 2 })
  })

  test('a run that stays open outlives the turn that made too many requests', async () => {
    const handle = talkingClient().run({ agent, prompt: 'tool tool hang', maxTurns: 1, keepOpen: true })
    const ended = new Promise<EventOfType<'turn_end'>>((resolve) => handle.once('turn_end', resolve))
    expect((await ended).outcome).toMatchObject({ kind: 'turn_limit' })
    const again = new Promise<EventOfType<'turn_end'>>((resolve) => handle.once('turn_end', resolve))
    await handle.send('fine')
    expect((await again).outcome).toBeUndefined()
    await handle.close()
    expect((await handle).outcome.kind).toBe('completed')
  })

  test('maxCostUsd ends the run once it has cost more', async () => {
    const { events, result } = await collect(
      talkingClient().run({ agent, prompt: 'cost:0.5 cost:1.5 hang', maxCostUsd: 1, gracePeriodMs: 100 }),
    )
    expect(result).toMatchObject({
      outcome: { kind: 'budget_exceeded', evidence: '$1.5000 spent of a budget of $1' },
      error: { code: 'BUDGET_EXCEEDED' },
      cost: { totalUsd: 1.5 },
    })
    expect(events.find(isTerminalEvent)).toMatchObject({ type: 'error', code: 'BUDGET_EXCEEDED' })
  })

  test('maxCostUsd holds by the price table where the agent tells tokens only', async () => {
    const priced = model(agent, 'm1', { inputPricePerMillion: 10, outputPricePerMillion: 10 })
    const mux = talkingClient({ models: [priced] })
    const result = await mux.run({ agent, prompt: 'usage:200000 hang', maxCostUsd: 1, gracePeriodMs: 100 })
    expect(result).toMatchObject({ outcome: { kind: 'budget_exceeded' }, cost: { totalUsd: 2, source: 'price-table' } })
  })

  test('an unknown cost is said to be unknown, once', async () => {
    const handle = talkingClient().run({ agent, prompt: 'one', maxCostUsd: 1 })
    handle.once('turn_end', () => void handle.send('two'))
    const { events, result } = await collect(handle)
    expect(filterEvents(events, 'debug').map((event) => event.message)).toEqual([
      'The agent has reported no usage, so the budget of $1 was not kept',
    ])
    expect(events.at(-1)?.type).toBe('session_end')
    expect(result).toMatchObject({ cost: null, outcome: { kind: 'completed' } })
  })
})
