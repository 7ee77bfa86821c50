import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'
import { describe, expect, test } from 'vitest'
import { isTerminalEvent } from '../src/contract/event-guards.ts'
import type { AgentEvent } from '../src/contract/events.ts'
import type { RunResult } from '../src/contract/run-handle.ts'
import { bareAdapter } from './support/adapters.ts'
import { collect, fakeClient, temporaryDirectory, testClient, types } from './support/client.ts'
import { isAlive, leftOvers } from './support/processes.ts'
import { until } from './support/until.ts'

const prompt = 'go'

v8.setFlagsFromString('--expose-gc')
const collectGarbage: () => void = vm.runInNewContext('gc')

/** What is alive on the heap, without what only has not been collected yet. */
function liveHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** What holds for every run, however its program behaves. */
function expectSoundRun(events: readonly AgentEvent[], { runId }: RunResult): void {
  expect(events.filter((event) => event.type === 'session_end')).toHaveLength(1)
  expect(events.at(-1)?.type).toBe('session_end')
  expect(events.filter(isTerminalEvent).length).toBeLessThanOrEqual(1)
  expect(events.every((event) => event.runId === runId)).toBe(true)
}

function toldPids(events: readonly AgentEvent[]): number[] {
  return events.flatMap((event) =>
    event.type === 'debug' && event.message.startsWith('pid ') ? [Number(event.message.slice(4))] : [],
  )
}

/** The promise: nothing is left two seconds after the end. */
async function expectNothingLeft(runId: string, pids: readonly number[]): Promise<void> {
  await until(`no process of the run left (${leftOvers(runId, pids)})`, () => leftOvers(runId, pids).length === 0, 2000)
}

describe('a program that does not want to end', () => {
  test('ignores TERM: killed after the grace period', async () => {
    const handle = fakeClient('stays', ['ignore-term']).run({ agent: 'fake', prompt, gracePeriodMs: 200 })
    const seen: AgentEvent[] = []
    handle.on('*', (event) => void seen.push(event))
    const [pid = 0] = await until('the program told its pid', () => toldPids(seen).length > 0 && toldPids(seen))
    expect(isAlive(pid)).toBe(true)
    await handle.abort()
    const result = await handle
    expect(result).toMatchObject({ exitReason: 'aborted', signal: 'SIGKILL', outcome: { kind: 'cancelled' } })
    expect(seen.filter(isTerminalEvent).map((event) => event.type)).toEqual(['aborted'])
    expectSoundRun(seen, result)
    await expectNothingLeft(handle.runId, [pid])
  })

  test('stalls: ended by the inactivity timeout', async () => {
    const handle = fakeClient('stays').run({ agent: 'fake', prompt, inactivityTimeout: 400 })
    const { events, result } = await collect(handle)
    expect(result).toMatchObject({
      exitReason: 'inactivity',
      outcome: { kind: 'timed_out' },
      error: { code: 'INACTIVITY_TIMEOUT' },
    })
    expect(events.find(isTerminalEvent)).toMatchObject({ type: 'timeout', kind: 'inactivity' })
    expectSoundRun(events, result)
    await expectNothingLeft(handle.runId, toldPids(events))
  })
})

describe.each(['group', 'setsid', 'clear-env', 'double-fork', 'hold-pipe', 'flood-pipe'])(
  'a program that leaves a child behind (%s)',
  (how) => {
    test('and exits', async () => {
      const handle = fakeClient('leaves-child', [how, 'exit']).run({ agent: 'fake', prompt })
      const { events, result } = await collect(handle)
      expect(result).toMatchObject({
        exitReason: 'completed',
        exitCode: 0,
        outcome: { kind: 'completed' },
        error: null,
      })
      expectSoundRun(events, result)
      expect(toldPids(events)).toHaveLength(1)
      await expectNothingLeft(handle.runId, toldPids(events))
    })

    test.each(['stay', 'ignore-term'])('and is aborted (%s)', async (then) => {
      const handle = fakeClient('leaves-child', [how, then]).run({ agent: 'fake', prompt, gracePeriodMs: 200 })
      const seen: AgentEvent[] = []
      handle.on('*', (event) => void seen.push(event))
      await until('the program told the pid of its child', () => toldPids(seen).length > 0)
      await handle.abort()
      const result = await handle
      expect(result.exitReason).toBe('aborted')
      expectSoundRun(seen, result)
      await expectNothingLeft(handle.runId, toldPids(seen))
    })
  },
)

test('a daemon that cleared its environment and holds the pipe is found by the pipe', async () => {
  // Its parent is gone before the agent says anything, so it is never seen below the agent.
  const daemon = '$( (env -i setsid sleep 300 >&3 2>&3 & echo $!) )'
  const tell = `echo '{"type":"debug","level":"info","message":"pid '$p'"}'`
  const script = `exec 3>&1; p=${daemon}; sleep 0.5; ${tell}`
  const mux = testClient([bareAdapter('fake', { command: 'sh', args: ['-c', script] })])
  const handle = mux.run({ agent: 'fake', prompt })
  const { events, result } = await collect(handle)
  expect(result.outcome.kind).toBe('completed')
  expect(toldPids(events)).toHaveLength(1)
  expectSoundRun(events, result)
  await expectNothingLeft(handle.runId, toldPids(events))
})

describe('a flood', () => {
  const numbers = (events: Iterable<AgentEvent>) =>
    [...events].flatMap((event) => (event.type === 'file_read' ? [Number(event.path)] : []))

  test('of a million lines reaches a reader whole, in order, in bounded memory', { timeout: 120_000 }, async () => {
    const count = 1_000_000
    const handle = fakeClient('flood', [String(count)]).run({ agent: 'fake', prompt })
    let expected = 0
    let peak = 0
    const before = liveHeap()
    for await (const event of handle) {
      if (event.type !== 'file_read') continue
      if (event.path !== String(expected)) throw new Error(`lost: ${expected}, got ${event.path}`)
      expected += 1
      if (expected % 100_000 === 0) peak = Math.max(peak, liveHeap() - before)
    }
    expect(expected).toBe(count)
    expect((await handle).outcome.kind).toBe('completed')
    // All events at once would be more than a hundred megabytes.
    expect(peak).toBeLessThan(20 * 1024 * 1024)
  })

  test('blocks the child while its reader does not read, and loses nothing', { timeout: 60_000 }, async () => {
    const file = join(temporaryDirectory(), 'position')
    const count = 200_000
    const read = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
    const handle = fakeClient('flood', [String(count), file]).run({ agent: 'fake', prompt })
    const iterator = handle[Symbol.asyncIterator]()
    const first = await iterator.next()
    expect(first.value?.type).toBe('session_start')
    // Blocked: what it wrote fits the buffer of the reader and the pipe, and does not get more.
    const bound = count / 10
    let seen = { at: 0, position: -1 }
    await until('the child wrote nothing for a while', () => {
      const position = read()
      if (position !== seen.position) seen = { at: Date.now(), position }
      return position > 0 && (Date.now() - seen.at > 500 || position > bound)
    })
    expect(read()).toBeLessThan(bound)
    const rest: AgentEvent[] = []
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) rest.push(next.value)
    expect(numbers(rest)).toEqual(Array.from({ length: count }, (_, i) => i))
    expect((await handle).outcome.kind).toBe('completed')
  })

  test('that has ended is kept for a reader that is behind, and the result does not wait for it', async () => {
    // More than the buffer of the reader, less than the pipe takes: the program exits while nobody reads.
    const count = 4000
    const handle = fakeClient('flood', [String(count)]).run({ agent: 'fake', prompt, eventBufferSize: 100 })
    const iterator = handle[Symbol.asyncIterator]()
    await iterator.next()
    expect((await handle).outcome.kind).toBe('completed')
    const rest: AgentEvent[] = []
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) rest.push(next.value)
    expect(numbers(rest)).toEqual(Array.from({ length: count }, (_, i) => i))
  })

  test('with nobody reading does not block', async () => {
    const result = await fakeClient('flood', ['100000']).run({ agent: 'fake', prompt })
    expect(result).toMatchObject({ exitReason: 'completed', exitCode: 0 })
  })

  test('abort from inside the loop of a reader that is behind does not hang', async () => {
    const handle = fakeClient('flood', ['10000000']).run({ agent: 'fake', prompt, gracePeriodMs: 200 })
    let seen = 0
    for await (const event of handle) {
      if (event.type === 'file_read' && ++seen === 10) await handle.abort()
    }
    const result = await handle
    expect(result.exitReason).toBe('aborted')
    await expectNothingLeft(handle.runId, [])
  })
})

describe('bytes', () => {
  const hex = (...chunks: (string | Buffer)[]) => [chunks.map((chunk) => Buffer.from(chunk).toString('hex'))]
  const run = (chunks: ReturnType<typeof hex>) =>
    collect(fakeClient('bytes', chunks).run({ agent: 'fake', prompt, debug: true }))
  const event = (path: string) => JSON.stringify({ type: 'file_read', path })
  const paths = (events: readonly AgentEvent[]) => events.flatMap((one) => (one.type === 'file_read' ? [one.path] : []))

  test('half a line, then exit: it is still a line', async () => {
    const { events, result } = await run(hex(`${event('a')}\n`, event('b')))
    expect(paths(events)).toEqual(['a', 'b'])
    expectSoundRun(events, result)
  })

  test('half a record, then exit: told as a line in debug mode', async () => {
    const { events, result } = await run(hex('{"type":"file_r'))
    expect(types(events)).toContain('error')
    expect(events.find((one) => one.type === 'error')).toMatchObject({ code: 'PARSE_ERROR', recoverable: true })
    expect(result.outcome.kind).toBe('completed')
    expectSoundRun(events, result)
  })

  test('invalid UTF-8 becomes U+FFFD and the run goes on', async () => {
    const bad = Buffer.concat([
      Buffer.from('{"type":"file_read","path":"x'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ])
    const { events, result } = await run(hex(bad, `${event('after')}\n`))
    expect(paths(events)).toEqual(['x\ufffd\ufffd', 'after'])
    expectSoundRun(events, result)
  })

  test('a character split between two writes stays whole', async () => {
    const whole = Buffer.from(`${event('a€😀b')}\n`)
    for (const cut of [whole.indexOf('€') + 1, whole.indexOf('😀') + 2]) {
      const { events } = await run(hex(whole.subarray(0, cut), whole.subarray(cut)))
      expect(paths(events)).toEqual(['a€😀b'])
    }
  })

  test('CRLF ends a line; a bare CR and U+2028 are part of it', async () => {
    const { events } = await run(hex(`${event('a')}\r\n`, '{"type":"file_read",\r"path":"b\u2028c"}\n'))
    expect(paths(events)).toEqual(['a', 'b\u2028c'])
  })
})

describe('a long line', () => {
  const MB = 1024 * 1024
  const read = async (bytes: number) => {
    const handle = fakeClient('long-line', [String(bytes)]).run({ agent: 'fake', prompt })
    const started = process.cpuUsage()
    const { events, result } = await collect(handle)
    const { user, system } = process.cpuUsage(started)
    return { events, result, cpu: user + system }
  }

  test('of 50 MB costs in proportion to one of 24 MB', async () => {
    await read(2 * MB)
    const small = await read(24 * MB)
    const large = await read(50 * MB)
    for (const [run, size] of [
      [small, 24],
      [large, 50],
    ] as const) {
      const event = run.events.find((one) => one.type === 'file_read')
      expect(event?.path.length).toBe(size * MB - 30)
      expect(run.result.outcome.kind).toBe('completed')
    }
    // 2.1 times the bytes: quadratic would be 4.3 times the time.
    expect(large.cpu / small.cpu).toBeLessThan(4)
  })

  test('above the cap is cut, and said to be', async () => {
    const { events, result } = await read(65 * MB)
    const errors = events.filter((event) => event.type === 'error')
    expect(errors[0]).toMatchObject({ code: 'PARSE_ERROR', recoverable: true })
    expect(errors[0]?.message).toContain(String(65 * MB))
    expect(result.outcome.kind).toBe('completed')
    expectSoundRun(events, result)
  })
})

describe('how it exits', () => {
  const finish = async (args: unknown[]) => {
    const handle = fakeClient('emit', args).run({ agent: 'fake', prompt })
    const { events, result } = await collect(handle)
    expectSoundRun(events, result)
    await expectNothingLeft(handle.runId, [])
    return { events, result }
  }
  const fatal = { type: 'error', code: 'MODEL_ERROR', message: 'the model said no', recoverable: false }

  test('0 after a fatal error event is not a success', async () => {
    const { events, result } = await finish([[fatal], '0'])
    expect(result).toMatchObject({
      exitCode: 0,
      outcome: { kind: 'failed', code: 'MODEL_ERROR' },
      error: { code: 'MODEL_ERROR', message: 'the model said no' },
    })
    expect(types(events)).toEqual(['session_start', 'error', 'session_end'])
  })

  test('what comes after a fatal error is shown before it', async () => {
    const { events } = await finish([[fatal, { type: 'file_read', path: 'x' }], '0'])
    expect(types(events)).toEqual(['session_start', 'turn_start', 'file_read', 'turn_end', 'error', 'session_end'])
  })

  test('non-zero is a crash, with the end of stderr', async () => {
    const { events, result } = await finish([[], '3', '', 'something broke'])
    expect(result).toMatchObject({
      exitCode: 3,
      exitReason: 'crashed',
      outcome: { kind: 'crashed', evidence: 'exit code 3: something broke' },
      error: { code: 'AGENT_CRASH', stderr: 'something broke\n' },
    })
    expect(events.find(isTerminalEvent)).toMatchObject({ type: 'crash', exitCode: 3 })
  })

  test('a signal is a kill', async () => {
    const { events, result } = await finish([[], '0', 'SIGKILL'])
    expect(result).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      exitReason: 'killed',
      outcome: { kind: 'crashed' },
    })
    expect(events.find(isTerminalEvent)?.type).toBe('crash')
  })

  test('TERM from outside is a cancellation, not a success', async () => {
    const { result } = await finish([[], '0', 'SIGTERM'])
    expect(result).toMatchObject({ signal: 'SIGTERM', exitReason: 'killed', outcome: { kind: 'cancelled' } })
  })

  test('nothing at all: an empty run', async () => {
    const { events, result } = await finish([[], '0'])
    expect(types(events)).toEqual(['session_start', 'session_end'])
    expect(result).toMatchObject({
      text: '',
      turnCount: 0,
      cost: null,
      tokenUsage: null,
      outcome: { kind: 'completed' },
    })
  })
})

describe('stdin', () => {
  test('closed by the program while we write to it', async () => {
    const handle = fakeClient('closes-stdin').run({ agent: 'fake', prompt })
    handle.on('file_read', () => void handle.send('x'.repeat(100_000)).catch(() => {}))
    const { events, result } = await collect(handle)
    expect(events.filter((event) => event.type === 'file_read')).toHaveLength(10)
    expect(result.outcome.kind).toBe('completed')
    expectSoundRun(events, result)
  })

  test('never read: a large message neither blocks nor breaks the run', async () => {
    const handle = fakeClient('stays').run({ agent: 'fake', prompt, gracePeriodMs: 200 })
    await handle.send('x'.repeat(8 * 1024 * 1024))
    await handle.abort()
    expect((await handle).exitReason).toBe('aborted')
    await expectNothingLeft(handle.runId, [])
  })
})

describe('a program that cannot be started', () => {
  const fail = async (spawn: { command?: string; cwd?: string; args?: string[] }) => {
    const mux = testClient([bareAdapter('fake', spawn)])
    const { events, result } = await collect(mux.run({ agent: 'fake', prompt }))
    expect(types(events)).toEqual(['session_start', 'crash', 'session_end'])
    expect(events[1]).toMatchObject({ exitCode: -1 })
    expect(result).toMatchObject({
      exitReason: 'crashed',
      exitCode: null,
      signal: null,
      outcome: { kind: 'crashed' },
      error: { code: 'SPAWN_ERROR' },
    })
    expectSoundRun(events, result)
    return result.error?.message
  }

  test('no such file', async () => {
    expect(await fail({ command: '/no/such/program' })).toContain('ENOENT')
  })

  test('not executable', async () => {
    const command = join(temporaryDirectory(), 'program')
    writeFileSync(command, '#!/bin/sh\n', { mode: 0o644 })
    expect(await fail({ command })).toContain('EACCES')
  })

  test('no such working directory', async () => {
    expect(await fail({ cwd: '/no/such/directory' })).toContain('ENOENT')
  })

  test('arguments beyond what the system takes', async () => {
    expect(await fail({ args: ['x'.repeat(4 * 1024 * 1024)] })).toContain('E2BIG')
  })

  test('a NUL in an argument', async () => {
    expect(await fail({ args: ['a\0b'] })).toContain('null bytes')
  })
})
