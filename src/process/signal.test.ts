import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { groupExists, signalGroup, signalProcess } from './signal.ts'

test.each([undefined, 0, -1, 1, 1.5, Number.NaN])('%s is never signalled', (pid) => {
  // Were it, this test run would end.
  expect(signalProcess(pid, 'SIGKILL')).toBe(false)
  expect(signalGroup(pid, 'SIGKILL')).toBe(false)
  expect(groupExists(pid ?? 0)).toBe(false)
})

test('a group is ended, and is then gone', async () => {
  const child = spawn('sleep', ['60'], { detached: true })
  const ended = once(child, 'exit')
  expect(groupExists(child.pid ?? 0)).toBe(true)
  expect(signalGroup(child.pid, 'SIGKILL')).toBe(true)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(groupExists(child.pid ?? 0)).toBe(false)
  expect(signalProcess(child.pid, 'SIGKILL')).toBe(false)
})
