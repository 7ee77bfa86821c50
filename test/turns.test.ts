import { describe, expect, test } from 'vitest'
import { CapabilityError } from '../src/contract/errors.ts'
import { filterEvents, isTerminalEvent } from '../src/contract/event-guards.ts'
import type { AgentEvent } from '../src/contract/events.ts'
import { collect, texts, types } from './support/client.ts'
import { isAlive, leftOvers } from './support/processes.ts'
import { talkingClient } from './support/talking.ts'
import { until } from './support/until.ts'

const agent = 'talks'

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
