import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentAdapter } from '../src/contract/adapter.ts'
import { AgentMuxError, CapabilityError, ValidationError } from '../src/contract/errors.ts'
import { filterEvents } from '../src/contract/event-guards.ts'
import type { AgentEvent } from '../src/contract/events.ts'
import { createClient } from '../src/index.ts'
import { bareAdapter, capabilities } from './support/adapters.ts'
import { collect, fakeClient, temporaryDirectory, testClient, types } from './support/client.ts'
import { EchoAdapter } from './support/echo-adapter.ts'
import { until } from './support/until.ts'

const prompt = 'go'
const stamp = { runId: '', agent: 'fake', timestamp: 0 }
const broken = () => {
  throw new Error('oops')
}

/** A run of a program with some method of its adapter replaced. */
function runWith(adapter: Partial<AgentAdapter>, args: unknown[] = [[]], options: object = {}) {
  return collect(fakeClient('emit', args, { adapter }).run({ agent: 'fake', prompt, ...options }))
}

describe('9.1 adapter method failures', () => {
  describe('buildSpawnArgs()', () => {
    test.each([
      new CapabilityError('fake', 'flying'),
      new ValidationError([{ field: 'model', message: 'is odd', received: 1, expected: 'even' }]),
    ])('%s: the run is not started, the promise rejects', async (error) => {
      const run = testClient([
        bareAdapter(
          'fake',
          {},
          {
            buildSpawnArgs() {
              throw error
            },
          },
        ),
      ]).run({ agent: 'fake', prompt })
      await expect(run).rejects.toBe(error)
    })
  })

  test('parseEvent(): a throw becomes a recoverable PARSE_ERROR and the next lines are read', async () => {
    const { events, result } = await runWith(
      {
        parseEvent(line) {
          if (line === 'bad') throw new Error('oops')
          return { type: 'file_read', path: line, ...stamp }
        },
      },
      [['a', 'bad', 'b']],
    )
    expect(types(events)).toEqual([
      ...['session_start', 'turn_start', 'file_read', 'error', 'file_read', 'turn_end', 'session_end'],
    ])
    expect(filterEvents(events, 'error')).toMatchObject([
      { code: 'PARSE_ERROR', message: 'fake: parseEvent failed: oops', recoverable: true },
    ])
    expect(result.outcome.kind).toBe('completed')
  })

  test('detectAuth(): a failure is the status unknown', async () => {
    const mux = testClient([bareAdapter('fake', {}, { detectAuth: broken })])
    expect(await mux.auth.check('fake')).toMatchObject({ agent: 'fake', status: 'unknown' })
    expect(await mux.adapters.detect('fake')).toMatchObject({ authState: 'unknown' })
  })

  test('getAuthGuidance(): a failure is guidance without steps', async () => {
    const mux = testClient([bareAdapter('fake', {}, { getAuthGuidance: broken })])
    expect(await mux.auth.getSetupGuidance('fake')).toMatchObject({ agent: 'fake', steps: [] })
  })

  describe.each(['claude', 'codex'])('of the built-in %s', (agent) => {
    const load = async (home = temporaryDirectory()) => {
      const adapter = await createClient().adapters.load(agent)
      Object.assign(Reflect.get(adapter, 'host'), { homeDir: home, env: {} })
      return { adapter, home }
    }

    test('sessionDir(): a path below the home', async () => {
      const { adapter, home } = await load()
      expect(adapter.sessionDir().startsWith(`${home}/`)).toBe(true)
    })

    test('parseSessionFile(): throws when there is no such file', async () => {
      const { adapter, home } = await load()
      await expect(adapter.parseSessionFile(join(home, 'none.jsonl'))).rejects.toThrow()
    })

    test('listSessionFiles(): an empty list when there is no such directory', async () => {
      const { adapter } = await load()
      expect(await adapter.listSessionFiles()).toEqual([])
    })

    test('readConfig(): empty without a file, a throw for one that does not parse', async () => {
      const { adapter, home } = await load()
      const cwd = temporaryDirectory()
      expect(await adapter.readConfig(cwd)).not.toHaveProperty('model', expect.anything())
      const [file = ''] = adapter.configSchema.configFilePaths
      const path = file.replace('~', home)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, '{ = nonsense')
      await expect(adapter.readConfig(cwd)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
    })

    test('writeConfig(): throws on a file system error', async () => {
      const { adapter, home } = await load()
      const [file = ''] = adapter.configSchema.configFilePaths
      // Where the directory should be there is a file.
      const directory = join(file.replace('~', home), '..')
      mkdirSync(join(directory, '..'), { recursive: true })
      if (directory !== home) writeFileSync(directory, '')
      else mkdirSync(file.replace('~', home))
      await expect(adapter.writeConfig({ model: 'm' }, temporaryDirectory())).rejects.toThrow()
    })
  })

  describe.each(['listPlugins', 'installPlugin', 'uninstallPlugin', 'searchPlugins'] as const)('%s()', (method) => {
    test('throws CapabilityError when supportsPlugins is false', async () => {
      const adapter = new EchoAdapter()
      expect(adapter.capabilities.supportsPlugins).toBe(false)
      await expect(adapter[method]('x')).rejects.toBeInstanceOf(CapabilityError)
    })
  })

  test('onSpawnError(): its event is shown; a throw gives the plain crash', async () => {
    const spawn = { command: '/no/such/program' }
    const run = async (onSpawnError: AgentAdapter['onSpawnError']) => {
      const mux = testClient([bareAdapter('fake', spawn, { onSpawnError })])
      return collect(mux.run({ agent: 'fake', prompt }))
    }
    const told = await run((error) => ({
      type: 'crash',
      exitCode: -1,
      stderr: `install it: ${error.message}`,
      ...stamp,
    }))
    expect(filterEvents(told.events, 'crash')[0]?.stderr).toContain('install it: spawn')
    const plain = await run(broken)
    expect(filterEvents(plain.events, 'crash')).toMatchObject([{ exitCode: -1 }])
    expect(plain.result).toMatchObject({ exitReason: 'crashed', error: { code: 'SPAWN_ERROR' } })
  })

  test('onTimeout(): its event is shown; a throw changes nothing', async () => {
    const run = (onTimeout: AgentAdapter['onTimeout']) =>
      collect(
        fakeClient('stays', [], { adapter: { onTimeout } }).run({ agent: 'fake', prompt, inactivityTimeout: 250 }),
      )
    const told = await run(() => ({ type: 'error', code: 'TIMEOUT', message: 'asleep?', recoverable: false, ...stamp }))
    expect(filterEvents(told.events, 'error', 'timeout')).toMatchObject([
      { message: 'asleep?' },
      { kind: 'inactivity' },
    ])
    expect((await run(broken)).result.exitReason).toBe('inactivity')
  })

  test('onProcessExit(): its events are shown; a throw becomes a recoverable error', async () => {
    const note: AgentEvent = { type: 'debug', level: 'info', message: 'bye', ...stamp }
    const told = await runWith({ onProcessExit: () => [note] })
    expect(filterEvents(told.events, 'debug')).toMatchObject([{ message: 'bye' }])
    const thrown = await runWith({ onProcessExit: broken }, [[], '2'])
    expect(filterEvents(thrown.events, 'error')).toMatchObject([{ code: 'PARSE_ERROR', recoverable: true }])
    expect(thrown.result).toMatchObject({ exitCode: 2, outcome: { kind: 'crashed' } })
  })

  test('shouldRetry(): a throw means no', async () => {
    const { events, result } = await runWith({ shouldRetry: broken }, [[], '1'], { retryPolicy: { baseDelayMs: 1 } })
    expect(filterEvents(events, 'retry')).toEqual([])
    expect(result.outcome.kind).toBe('crashed')
  })
})

describe('9.2 registry method failures', () => {
  const empty = () => {
    const { adapters } = createClient()
    for (const { agent } of adapters.list()) adapters.unregister(agent)
    return adapters
  }

  test('list(): an empty array without adapters', () => expect(empty().list()).toEqual([]))

  test('installed(): a failed probe is told in its entry', async () => {
    const adapters = empty()
    adapters.register(
      bareAdapter('good', {}, { detectInstallation: async () => ({ installed: true, version: '1.0.0' }) }),
    )
    adapters.register(bareAdapter('bad', {}, { detectInstallation: broken, detectAuth: broken, readConfig: broken }))
    expect(await adapters.installed()).toMatchObject([
      { agent: 'bad', installed: false, version: null, authState: 'unknown' },
      { agent: 'good', installed: true, version: '1.0.0' },
    ])
  })

  test('detect(): null without an adapter, installed false when it fails', async () => {
    const adapters = empty()
    expect(await adapters.detect('fake')).toBeNull()
    adapters.register(bareAdapter('fake', {}, { detectInstallation: broken }))
    expect(await adapters.detect('fake')).toMatchObject({ installed: false, cliPath: null })
  })

  test('capabilities(): UNKNOWN_AGENT', () => {
    expect(() => empty().capabilities('fake')).toThrow(expect.objectContaining({ code: 'UNKNOWN_AGENT' }))
    expect(() => empty().capabilities('fake')).toThrow(AgentMuxError)
  })

  test('installInstructions(): UNKNOWN_AGENT, and empty without a method for the platform', () => {
    const adapters = empty()
    expect(() => adapters.installInstructions('fake')).toThrow(expect.objectContaining({ code: 'UNKNOWN_AGENT' }))
    const installMethods = [{ platform: 'darwin' as const, type: 'brew' as const, command: 'brew install fake' }]
    adapters.register(bareAdapter('fake', {}, { capabilities: capabilities('fake', { installMethods }) }))
    expect(adapters.installInstructions('fake', 'linux')).toEqual([])
    expect(adapters.installInstructions('fake', 'darwin')).toEqual(installMethods)
  })

  test('register(): ValidationError', () => {
    const adapters = empty()
    expect(() => adapters.register(bareAdapter(''))).toThrow(ValidationError)
    expect(adapters.list()).toEqual([])
  })

  test('unregister(): UNKNOWN_AGENT', () => {
    expect(() => empty().unregister('fake')).toThrow(expect.objectContaining({ code: 'UNKNOWN_AGENT' }))
  })
})

describe('10 edge cases', () => {
  describe('10.1 name collision on registration', () => {
    const echo = (agent: string, path: string) =>
      bareAdapter(agent, { args: ['-e', `console.log('{"type":"file_read","path":"${path}"}')`] })

    test('a plugin replaces a built-in, with a debug warning on each later run', async () => {
      const mux = testClient([echo('codex', 'mine')])
      expect(mux.adapters.list().find(({ agent }) => agent === 'codex')).toMatchObject({ source: 'plugin' })
      for (let i = 0; i < 2; i++) {
        const { events } = await collect(mux.run({ agent: 'codex', prompt }))
        expect(filterEvents(events, 'debug')).toMatchObject([
          { level: 'warn', message: expect.stringContaining('"codex"') },
        ])
        expect(filterEvents(events, 'file_read')).toMatchObject([{ path: 'mine' }])
      }
    })

    test('a plugin replaces a plugin silently', async () => {
      const mux = testClient([echo('fake', 'old'), echo('fake', 'new')])
      const { events } = await collect(mux.run({ agent: 'fake', prompt }))
      expect(filterEvents(events, 'debug')).toEqual([])
      expect(filterEvents(events, 'file_read')).toMatchObject([{ path: 'new' }])
    })

    test('what was replaced does not come back', () => {
      const mux = testClient([echo('codex', 'mine')])
      mux.adapters.unregister('codex')
      expect(() => mux.run({ agent: 'codex', prompt })).toThrow(expect.objectContaining({ code: 'UNKNOWN_AGENT' }))
    })
  })

  test('10.2 unregister during an active run: it goes on, new ones are refused', async () => {
    const script = `process.stdin.on('data', (d) => { console.log('{"type":"file_read","path":"late"}'); process.exit(3) })
      console.log('{"type":"turn_start"}')`
    let exits = 0
    const mux = testClient([
      bareAdapter(
        'fake',
        { args: ['-e', script] },
        {
          onProcessExit: () => {
            exits += 1
            return []
          },
        },
      ),
    ])
    const handle = mux.run({ agent: 'fake', prompt })
    await until('it runs', () => handle.state === 'running')
    mux.adapters.unregister('fake')
    expect(() => mux.run({ agent: 'fake', prompt })).toThrow(expect.objectContaining({ code: 'UNKNOWN_AGENT' }))
    await handle.send('go on')
    const { events, result } = await collect(handle)
    expect(filterEvents(events, 'file_read')).toMatchObject([{ path: 'late' }])
    expect(result.exitCode).toBe(3)
    expect(exits).toBe(1)
  })

  describe('10.3 unknown output lines', () => {
    const run = (debug: boolean) =>
      runWith({ parseEvent: () => null }, [['spinner', 'banner'], '0', '', 'noise'], { debug })

    test('debug off: no event, but counted', async () => {
      const { events, result } = await run(false)
      expect(types(events)).toEqual(['session_start', 'session_end'])
      expect(result.unrecognized).toEqual({ line: 3 })
    })

    test('debug on: a log event with its source', async () => {
      const { events } = await run(true)
      const logs = filterEvents(events, 'log').map(({ source, line }) => [source, line])
      expect(logs).toHaveLength(3)
      expect(logs).toEqual(
        expect.arrayContaining([
          ['stdout', 'spinner'],
          ['stdout', 'banner'],
          ['stderr', 'noise'],
        ]),
      )
    })
  })

  describe('10.4 adapter registration validation failures', () => {
    test.each([
      ['agent', ''],
      ['displayName', ''],
      ['cliCommand', ''],
      ['capabilities', {}],
      ['models', {}],
      ['configSchema', {}],
      ['buildSpawnArgs', 1],
      ['parseEvent', 1],
      ['detectAuth', 1],
      ['getAuthGuidance', 1],
      ['sessionDir', 1],
      ['parseSessionFile', 1],
      ['listSessionFiles', 1],
      ['readConfig', 1],
      ['writeConfig', 1],
    ])('%s', (field, value) => {
      const { adapters } = createClient()
      const before = adapters.list()
      const register = () => Reflect.apply(adapters.register, adapters, [{ ...bareAdapter('fake'), [field]: value }])
      expect(register).toThrow(ValidationError)
      expect(register).toThrow(new RegExp(`\\b${field}\\b`))
      expect(adapters.list()).toEqual(before)
    })
  })

  test('10.5 concurrent detection calls share one probe', async () => {
    let probes = 0
    const mux = testClient([
      bareAdapter(
        'fake',
        {},
        {
          async detectInstallation() {
            probes += 1
            await new Promise((resolve) => setImmediate(resolve))
            return { installed: true }
          },
        },
      ),
    ])
    const [one, two, all] = await Promise.all([
      mux.adapters.detect('fake'),
      mux.adapters.detect('fake'),
      mux.adapters.installed(),
    ])
    expect(probes).toBe(1)
    expect(two).toBe(one)
    expect(all).toContain(one)
  })

  test('10.6 an adapter without models: the agent chooses its own', async () => {
    const models: unknown[] = []
    const mux = testClient()
    const adapter = bareAdapter('fake', { args: ['-e', ''] })
    mux.adapters.register({
      ...adapter,
      buildSpawnArgs(options) {
        models.push(options.model)
        return adapter.buildSpawnArgs(options)
      },
    })
    expect(mux.adapters.capabilities('fake').agent).toBe('fake')
    const { events, result } = await collect(mux.run({ agent: 'fake', prompt }))
    expect(models).toEqual([undefined])
    expect(result.model).toBeNull()
    expect(filterEvents(events, 'debug')).toEqual([])
  })
})
