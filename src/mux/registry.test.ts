import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bareAdapter, capabilities } from '../../test/support/adapters.ts'
import { temporaryDirectory } from '../../test/support/client.ts'
import { EchoAdapter } from '../../test/support/echo-adapter.ts'
import { ValidationError } from '../contract/errors.ts'
import { suggest } from '../core/suggest.ts'
import { detectHost } from './detect-host.ts'
import { Registry } from './registry.ts'

/** A registry with one agent whose probes are counted and answered by hand. */
function probed() {
  let now = 0
  let probes = 0
  const registry = new Registry([], () => now)
  const wait = (ms: number) => {
    now += ms
  }
  registry.register(
    bareAdapter(
      'fake',
      {},
      {
        detectInstallation: async () => {
          probes += 1
          await new Promise((resolve) => setImmediate(resolve))
          return { installed: true, version: '1.2.3', path: '/bin/fake' }
        },
      },
    ),
  )
  return { registry, probes: () => probes, wait }
}

describe('detection', () => {
  test('is kept for 30 seconds', async () => {
    const { registry, probes, wait } = probed()
    await registry.detect('fake')
    wait(29_999)
    expect(await registry.detect('fake')).toMatchObject({ installed: true, version: '1.2.3', cliPath: '/bin/fake' })
    expect(probes()).toBe(1)
    wait(1)
    await registry.detect('fake')
    expect(probes()).toBe(2)
  })

  test('starts again for an adapter that was registered again', async () => {
    const { registry } = probed()
    await registry.detect('fake')
    registry.register(bareAdapter('fake', {}, { detectInstallation: async () => ({ installed: false }) }))
    expect(await registry.detect('fake')).toMatchObject({ installed: false, version: null, meetsMinVersion: false })
  })

  test('asks an adapter that reads its version in a way of its own', async () => {
    class Dated extends EchoAdapter {
      protected override async detectVersionFromCli(): Promise<string | null> {
        return '2026.1.2'
      }
    }
    const registry = new Registry([])
    registry.register(new Dated())
    expect(await registry.detect('echo')).toMatchObject({ installed: true, version: '2026.1.2' })
  })

  test('asks the binary for its version, on stdout only', async () => {
    const command = join(temporaryDirectory(), 'tool')
    writeFileSync(command, '#!/bin/sh\necho "warning 9.9.9" >&2\necho "tool 1.4.0"\n', { mode: 0o755 })
    const registry = new Registry([])
    registry.register(bareAdapter('fake', {}, { cliCommand: command, minVersion: '1.5.0', defaultModelId: 'm' }))
    expect(await registry.detect('fake')).toEqual({
      agent: 'fake',
      installed: true,
      cliPath: command,
      version: '1.4.0',
      meetsMinVersion: false,
      minVersion: '1.5.0',
      authState: 'authenticated',
      activeModel: 'm',
    })
  })
})

describe('register', () => {
  test('lists every fault at once and changes nothing', () => {
    const registry = new Registry([])
    registry.register(bareAdapter('fake'))
    const before = registry.list()
    const broken = {
      ...bareAdapter('fake'),
      ...{ agent: '', displayName: ' ', cliCommand: 7, models: null, buildSpawnArgs: undefined, writeConfig: 'x' },
      capabilities: { canResume: 'yes' },
      configSchema: { fields: [] },
    }
    try {
      Reflect.apply(registry.register, registry, [broken])
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError)
      if (!(error instanceof ValidationError)) return
      const fields = error.fields.map(({ field }) => field)
      for (const field of [
        ...['agent', 'displayName', 'cliCommand', 'models', 'buildSpawnArgs', 'writeConfig', 'capabilities.canResume'],
        ...['capabilities.supportsMCP', 'configSchema.agent', 'configSchema.configFilePaths'],
        'configSchema.projectConfigFilePaths',
      ]) {
        expect(fields).toContain(field)
        expect(error.message).toContain(field)
      }
      expect(fields).not.toContain('configSchema.fields')
    }
    expect(registry.list()).toEqual(before)
  })

  test.each([null, undefined, 'adapter', []])('refuses %j', (value) => {
    const registry = new Registry([])
    expect(() => Reflect.apply(registry.register, registry, [value])).toThrow(ValidationError)
  })

  test('an adapter that says it has plugins must have their methods', () => {
    const registry = new Registry([])
    const adapter = bareAdapter('fake', {}, { capabilities: capabilities('fake', { supportsPlugins: true }) })
    expect(() => registry.register(adapter)).toThrow(/listPlugins.*installPlugin.*uninstallPlugin.*searchPlugins/)
  })
})

describe('the host', () => {
  const entries = () => {
    const registry = new Registry([])
    registry.register(bareAdapter('one', {}, { hostEnvSignals: ['ONE', 'SHARED'] }))
    registry.register(bareAdapter('two', {}, { hostEnvSignals: ['SHARED', 'TWO_A', 'TWO_B'] }))
    return registry.entries()
  }

  test('is the agent with most of its own markers', () => {
    expect(detectHost(entries(), { SHARED: '1', TWO_A: '1' })).toEqual({ agent: 'two', signals: ['SHARED', 'TWO_A'] })
    expect(detectHost(entries(), { ONE: '1' })).toEqual({ agent: 'one', signals: ['ONE'] })
    expect(detectHost(entries(), { OTHER: '1' })).toBeNull()
  })
})

test('suggest finds the near word and no far one', () => {
  expect(suggest('cluade', ['claude', 'codex'])).toBe('claude')
  expect(suggest('CODEX', ['claude', 'codex'])).toBe('codex')
  expect(suggest('zzzzzz', ['claude', 'codex'])).toBeNull()
})
