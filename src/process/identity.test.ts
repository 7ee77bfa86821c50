import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { bootId, identityOf, isAlive } from './identity.ts'

test('a process is itself until it ends', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const identity = identityOf(child.pid ?? 0)
  expect(identity).toMatchObject({ pid: child.pid, bootId: bootId() })
  if (identity === null) return
  expect(isAlive(identity)).toBe(true)
  expect(isAlive({ ...identity, startTime: '1' }), 'another process with the same pid').toBe(false)
  expect(isAlive({ ...identity, bootId: 'before' }), 'a process of an earlier boot').toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(identity)).toBe(false)
  expect(identityOf(identity.pid)).toBeNull()
})
