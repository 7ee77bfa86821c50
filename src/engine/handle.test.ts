import { describe, expect, test } from 'vitest'
import { bareAdapter } from '../../test/support/adapters.ts'
import { collect, fakeClient, testClient, types } from '../../test/support/client.ts'
import { talkingClient } from '../../test/support/talking.ts'
import { until } from '../../test/support/until.ts'
import { CapabilityError, ValidationError } from '../contract/errors.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RunHandle } from '../contract/run-handle.ts'

const prompt = 'go'
const reads = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'file_read', path: `${i}` }))
const run = (records: unknown[], options: object = {}) =>
  fakeClient('emit', [records]).run({ agent: 'fake', prompt, ...options })

async function drain(handle: RunHandle): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of handle) events.push(event)
  return events
}

describe('readers', () => {
  test('several iterators and listeners see the same events in the same order', async () => {
    const handle = run(reads(500))
    const heard: AgentEvent[] = []
    const files: AgentEvent[] = []
    handle.on('*', (event) => void heard.push(event)).on('file_read', (event) => void files.push(event))
    const [one, two] = await Promise.all([drain(handle), drain(handle)])
    expect(one).toEqual(two)
    expect(one).toEqual(heard)
    expect(files).toEqual(one.filter((event) => event.type === 'file_read'))
    expect(files).toHaveLength(500)
  })

  test('one that comes after the end still sees the run', async () => {
    const handle = run(reads(10))
    await handle
    expect(types(await drain(handle))).toEqual([
      ...['session_start', 'turn_start'],
      ...Array.from({ length: 10 }, () => 'file_read'),
      ...['turn_end', 'session_end'],
    ])
  })

  test('one that comes too late is told how much it missed; with collectEvents it misses nothing', async () => {
    const late = run(reads(300), { eventBufferSize: 100 })
    await late
    const events = await drain(late)
    expect(events).toHaveLength(101)
    expect(events.at(-1)).toMatchObject({ type: 'debug', level: 'warn', runId: late.runId })
    expect(events.at(-1)).toHaveProperty('message', expect.stringContaining('204 earlier events'))
    const kept = run(reads(300), { eventBufferSize: 100, collectEvents: true })
    const result = await kept
    expect(result.events).toHaveLength(304)
    expect(await drain(kept)).toEqual(result.events)
  })

  test('without collectEvents the result holds none', async () => {
    expect((await run(reads(3))).events).toEqual([])
  })

  test('one that breaks out neither holds up the run nor the others', async () => {
    const handle = run(reads(3000), { eventBufferSize: 100 })
    const other = drain(handle)
    for await (const event of handle) if (event.type === 'file_read') break
    expect((await other).filter((event) => event.type === 'file_read')).toHaveLength(3000)
    expect((await handle).outcome.kind).toBe('completed')
  })

  test('next() may be called again before it has answered', async () => {
    const handle = run(reads(2))
    const iterator = handle[Symbol.asyncIterator]()
    const results = await Promise.all(Array.from({ length: 8 }, () => iterator.next()))
    expect(results.map(({ value, done }) => (done ? 'done' : value.type))).toEqual([
      ...['session_start', 'turn_start', 'file_read', 'file_read', 'turn_end', 'session_end'],
      ...['done', 'done'],
    ])
  })
})

describe('listeners', () => {
  test('one that throws harms nobody and is reported as a debug event', async () => {
    const handle = run(reads(1))
    const heard: string[] = []
    handle.on('file_read', () => {
      throw new Error('oops')
    })
    handle.on('file_read', (event) => void heard.push(event.path))
    const events = await drain(handle)
    expect(heard).toEqual(['0'])
    expect(events.filter((event) => event.type === 'debug')).toMatchObject([
      { level: 'warn', message: 'A listener of file_read threw: oops' },
    ])
    expect((await handle).outcome.kind).toBe('completed')
  })

  test('one for everything that always throws does not loop', async () => {
    const handle = run(reads(1))
    handle.on('*', () => {
      throw new Error('oops')
    })
    const events = await drain(handle)
    expect(events.filter((event) => event.type === 'debug')).toHaveLength(5)
  })

  test('off removes it from that type only; once fires once', async () => {
    const handle = run(reads(3))
    const heard: string[] = []
    const listener = (event: AgentEvent) => void heard.push(event.type)
    handle.on('file_read', listener).on('turn_end', listener).on('session_end', listener)
    handle.off('file_read', listener)
    let once = 0
    handle.once('file_read', () => void once++)
    const never = () => void heard.push('never')
    handle.once('file_read', never).off('file_read', never)
    await handle
    expect(heard).toEqual(['turn_end', 'session_end'])
    expect(once).toBe(1)
  })

  test('the same listener twice is one', async () => {
    const handle = run(reads(2))
    let count = 0
    const listener = () => void count++
    handle.on('file_read', listener).on('file_read', listener)
    await handle
    expect(count).toBe(2)
  })

  test('what a listener causes comes after what is already there, in time and order', async () => {
    const handle = talkingClient().run({ agent: 'talks', prompt: 'one', maxCostUsd: 1 })
    handle.on('turn_end', () => {
      throw new Error('oops')
    })
    const events = await drain(handle)
    const times = events.map((event) => event.timestamp)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(events.at(-1)?.type).toBe('session_end')
  })
})

describe('the promise', () => {
  test('await, then, result(), catch and finally give one result', async () => {
    const handle = run([])
    let isFinal = 0
    const results = await Promise.all([
      handle,
      handle.then((result) => result),
      handle.result(),
      handle.catch(() => 'not reached'),
      handle.finally(() => void isFinal++),
    ])
    expect(new Set(results).size).toBe(1)
    expect(isFinal).toBe(1)
    expect(results[0]).toMatchObject({ runId: handle.runId, agent: 'fake', tags: [] })
  })

  describe('when buildSpawnArgs throws', () => {
    const broken = () => {
      const handle = testClient([
        bareAdapter(
          'fake',
          {},
          {
            buildSpawnArgs: () => {
              throw new CapabilityError('fake', 'flying')
            },
          },
        ),
      ]).run({ agent: 'fake', prompt })
      return handle
    }

    test('rejects, and so does every iterator', async () => {
      const handle = broken()
      const early = drain(handle)
      await expect(handle).rejects.toMatchObject({ code: 'CAPABILITY_ERROR', capability: 'flying' })
      await expect(early).rejects.toBeInstanceOf(CapabilityError)
      await expect(drain(handle)).rejects.toBeInstanceOf(CapabilityError)
      expect(await handle.catch((error) => error)).toBeInstanceOf(CapabilityError)
      expect(handle.state).toBe('crashed')
    })

    test('commands reject too, abort does not', async () => {
      const handle = broken()
      await expect(handle.send('x')).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' })
      await handle.abort()
    })

    test('nobody looks: no unhandled rejection', async () => {
      const seen: unknown[] = []
      const listener = (reason: unknown) => void seen.push(reason)
      process.on('unhandledRejection', listener)
      const handle = broken()
      await until('it has failed', () => handle.state === 'crashed')
      await new Promise((resolve) => setImmediate(resolve))
      process.off('unhandledRejection', listener)
      expect(seen).toEqual([])
    })
  })
})

describe('run() throws at once for', () => {
  const mux = () => testClient([bareAdapter('fake', { args: ['-e', ''] })])
  test.each([
    ['an unknown agent', { agent: 'nobody', prompt }, 'UNKNOWN_AGENT'],
    ['bad options', { agent: 'fake', prompt: '', timeout: -1 }, 'VALIDATION_ERROR'],
    ['an option that does not exist', { agent: 'fake', prompt, colour: 'red' }, 'VALIDATION_ERROR'],
    ['two ways to choose a session', { agent: 'fake', prompt, sessionId: 'a', noSession: true }, 'VALIDATION_ERROR'],
    ['a file as the directory', { agent: 'fake', prompt, cwd: process.execPath }, 'VALIDATION_ERROR'],
    ['a directory below a file', { agent: 'fake', prompt, cwd: `${process.execPath}/x` }, 'VALIDATION_ERROR'],
    ['a directory with a null byte', { agent: 'fake', prompt, cwd: '/tmp\0' }, 'VALIDATION_ERROR'],
    ['a directory with an endless name', { agent: 'fake', prompt, cwd: `/${'x'.repeat(5000)}` }, 'VALIDATION_ERROR'],
    ['a missing capability', { agent: 'fake', prompt, forkSessionId: 'a' }, 'CAPABILITY_ERROR'],
    ['an approval mode the agent lacks', { agent: 'fake', prompt, approvalMode: 'accept-edits' }, 'CAPABILITY_ERROR'],
    ['a profile that does not exist', { agent: 'fake', prompt, profile: 'none' }, 'PROFILE_NOT_FOUND'],
    ['no agent at all', { prompt }, 'VALIDATION_ERROR'],
    ['a missing binary', { agent: 'codex', prompt, env: { PATH: '/nowhere' } }, 'AGENT_NOT_INSTALLED'],
  ] as const)('%s', (_, options, code) => {
    expect(() => mux().run(options)).toThrow(expect.objectContaining({ code }))
  })

  test('all faults of the options at once, by field', () => {
    try {
      mux().run({ agent: 'fake', prompt: '', timeout: -1, runId: 'x' })
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError)
      if (!(error instanceof ValidationError)) return
      expect(error.fields.map(({ field }) => field).sort()).toEqual(['prompt', 'runId', 'timeout'])
      expect(error.fields.every(({ message, expected }) => message !== '' && expected !== '')).toBe(true)
    }
  })

  test('a near miss of an agent name with a suggestion', () => {
    expect(() => mux().run({ agent: 'cladue', prompt })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('claude') }),
    )
  })
})

describe('what can be sent to a parse-only agent', () => {
  test('send writes a line to its stdin, close() ends its input', async () => {
    const echo = `process.stdin.on('data', (d) => console.log(JSON.stringify({type:'file_read', path: String(d)})))`
    const mux = testClient([bareAdapter('fake', { args: ['-e', echo] })])
    const handle = mux.run({ agent: 'fake', prompt, keepOpen: true })
    await handle.send('hello')
    const events: AgentEvent[] = []
    handle.on('file_read', (event) => void events.push(event))
    await until('it answered', () => events.length > 0)
    expect(events[0]).toMatchObject({ path: 'hello\n' })
    await handle.close()
    expect(await handle).toMatchObject({ exitCode: 0, outcome: { kind: 'completed' } })
  })

  test('with stdin given, its input is closed: send and queue say so', async () => {
    const cat = `process.stdin.on('data', (d) => console.log(JSON.stringify({type:'file_read', path: String(d)})))`
    const mux = testClient([bareAdapter('fake', { args: ['-e', cat], stdin: 'the prompt' })])
    const handle = mux.run({ agent: 'fake', prompt })
    await expect(handle.send('x')).rejects.toMatchObject({ code: 'STDIN_NOT_AVAILABLE' })
    await expect(handle.queue('x')).rejects.toMatchObject({ code: 'STDIN_NOT_AVAILABLE' })
    await expect(handle.approve()).rejects.toMatchObject({ code: 'NO_PENDING_INTERACTION' })
    const events = await drain(handle)
    expect(events.find((event) => event.type === 'file_read')).toMatchObject({ path: 'the prompt' })
  })

  test('its exit code counts after its turn has ended', async () => {
    const { result } = await collect(
      fakeClient('emit', [[{ type: 'turn_start' }, { type: 'turn_end' }], '4']).run({ agent: 'fake', prompt }),
    )
    expect(result).toMatchObject({ exitCode: 4, outcome: { kind: 'crashed' }, turnCount: 1 })
  })

  test('an agent that hangs after its turn is ended by the inactivity timeout', async () => {
    const script = `console.log('{"type":"turn_start"}\\n{"type":"turn_end"}'); setInterval(() => {}, 1000)`
    const mux = testClient([bareAdapter('fake', { args: ['-e', script] })])
    expect(await mux.run({ agent: 'fake', prompt, inactivityTimeout: 300, gracePeriodMs: 100 })).toMatchObject({
      exitReason: 'inactivity',
    })
  })

  test('an agent that never says a word is ended by the limit for its first one', async () => {
    const mux = testClient([bareAdapter('fake', { args: ['-e', 'setInterval(() => {}, 1000)'] })])
    const { events, result } = await collect(
      mux.run({ agent: 'fake', prompt, firstEventTimeout: 300, gracePeriodMs: 100 }),
    )
    expect(result).toMatchObject({ exitReason: 'inactivity', outcome: { kind: 'timed_out' } })
    expect(events.find((event) => event.type === 'debug')).toMatchObject({
      message: expect.stringContaining('signed in'),
    })
  })

  test('the limit for the first word means nothing after it', async () => {
    // A shell, because it starts at once even where others have the machine.
    const script = `echo '{"type":"turn_start"}'; sleep 1.5; echo '{"type":"turn_end"}'`
    const mux = testClient([bareAdapter('fake', { command: 'sh', args: ['-c', script] })])
    expect(await mux.run({ agent: 'fake', prompt, firstEventTimeout: 1200 })).toMatchObject({ exitReason: 'completed' })
  })

  test('interrupt is SIGINT to its group', async () => {
    const script = `process.on('SIGINT', () => { console.log('{"type":"file_read","path":"int"}'); process.exit(130) })
      console.log('{"type":"turn_start"}'); setInterval(() => {}, 1000)`
    const mux = testClient([bareAdapter('fake', { args: ['-e', script] })])
    const handle = mux.run({ agent: 'fake', prompt })
    handle.once('turn_start', () => void handle.interrupt())
    const { events, result } = await collect(handle)
    expect(events.find((event) => event.type === 'file_read')).toMatchObject({ path: 'int' })
    expect(result).toMatchObject({ exitReason: 'interrupted', exitCode: 130, outcome: { kind: 'cancelled' } })
  })

  test('an event object that it hands out twice becomes two events', async () => {
    const same: AgentEvent = { type: 'text_delta', delta: 'a', accumulated: '', runId: '', agent: '', timestamp: 0 }
    Object.freeze(same)
    const mux = testClient([
      bareAdapter('fake', { args: ['-e', 'console.log(1); console.log(2)'] }, { parseEvent: () => same }),
    ])
    const { events } = await collect(mux.run({ agent: 'fake', prompt }))
    const deltas = events.filter((event) => event.type === 'text_delta')
    expect(deltas.map((event) => event.accumulated)).toEqual(['a', 'aa'])
  })

  test('rubbish instead of an event is reported, and the run goes on', async () => {
    const script = `console.log('{"type":"bogus"}\\n{"no":"type"}\\n{"type":"file_read","path":"x"}')`
    const mux = testClient([bareAdapter('fake', { args: ['-e', script] })])
    const { events, result } = await collect(mux.run({ agent: 'fake', prompt }))
    expect(types(events)).toEqual([
      ...['session_start', 'error', 'error', 'turn_start', 'file_read', 'turn_end', 'session_end'],
    ])
    expect(events[1]).toMatchObject({ code: 'PARSE_ERROR', recoverable: true })
    expect(result.outcome.kind).toBe('completed')
  })

  test('a timeout that only its SpawnArgs name is kept', async () => {
    const mux = testClient([bareAdapter('fake', { args: ['-e', 'setInterval(() => {}, 1000)'], timeout: 200 })])
    expect((await mux.run({ agent: 'fake', prompt, gracePeriodMs: 100 })).exitReason).toBe('timeout')
  })
})
