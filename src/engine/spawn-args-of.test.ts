import { expect, test } from 'vitest'
import type { AgentAdapter } from '../contract/adapter.ts'
import { spawnArgsOf } from './spawn-args-of.ts'

const giving = (given: unknown) => ({ agent: 'own', buildSpawnArgs: () => given }) as unknown as AgentAdapter
const start = (given: unknown) => spawnArgsOf(giving(given), { prompt: 'p', cwd: '/w' })

test('what an adapter without types leaves out, or has as null, has its default', () => {
  const whole = { command: 'c', args: [], env: {}, cwd: '/w', usePty: false }
  expect(start({ command: 'c' })).toEqual(whole)
  expect(start({ command: 'c', args: null, env: null, cwd: null, usePty: null, stdin: null })).toEqual(whole)
  expect(start({ command: 'c', stdin: '', timeout: 5 })).toEqual({ ...whole, stdin: '', timeout: 5 })
})

test.each([[null], [undefined], [{ args: [] }], [{ command: '' }], [{ command: 'c', args: 'x' }]])(
  '%j is refused, with what is needed',
  (given) => {
    expect(() => start(given)).toThrow(
      expect.objectContaining({ code: 'SPAWN_ERROR', hint: expect.stringContaining('buildSpawnArgs') }),
    )
  },
)
