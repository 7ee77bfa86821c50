import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withFileLock } from './lock.ts'

let dir = ''
let file = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'amux-lock-'))
  file = join(dir, 'config')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

function leaveLock(content: unknown): Promise<void> {
  return writeFile(`${file}.lock`, typeof content === 'string' ? content : JSON.stringify(content))
}

test('only one holder at a time, every one gets its turn, nothing is left', async () => {
  let inside = 0
  let most = 0
  let done = 0
  const hold = () =>
    withFileLock(file, async () => {
      inside += 1
      most = Math.max(most, inside)
      await sleep(2)
      inside -= 1
      done += 1
    })
  await Promise.all(Array.from({ length: 20 }, hold))
  expect({ most, done }).toEqual({ most: 1, done: 20 })
  expect(await readdir(dir)).toEqual([])
})

test('holds pid and time while it works, and lets go when the work throws', async () => {
  const failed = withFileLock(file, async () => {
    expect(JSON.parse(await readFile(`${file}.lock`, 'utf8'))).toMatchObject({
      pid: process.pid,
      time: expect.any(Number),
    })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await readdir(dir)).toEqual([])
})

test('a live lock makes the waiter give up with a recoverable error and stays', async () => {
  await leaveLock({ pid: process.pid, time: Date.now() })
  const waiting = withFileLock(file, async () => 'in', { timeoutMs: 50 })
  await expect(waiting).rejects.toMatchObject({ code: 'CONFIG_LOCK_ERROR', recoverable: true })
  expect(await readdir(dir)).toEqual(['config.lock'])
})

test('a dead process and an old time are leftovers', async () => {
  await leaveLock({ pid: await deadPid(), time: Date.now(), host: hostname() })
  expect(await withFileLock(file, async () => 'in', { timeoutMs: 0 })).toBe('in')
  await leaveLock({ pid: process.pid, time: Date.now() - 31_000 })
  expect(await withFileLock(file, async () => 'in', { timeoutMs: 0 })).toBe('in')
  expect(await readdir(dir)).toEqual([])
})

test('the process ids of another machine say nothing', async () => {
  await leaveLock({ pid: await deadPid(), time: Date.now(), host: 'elsewhere' })
  await expect(withFileLock(file, async () => 'in', { timeoutMs: 30 })).rejects.toMatchObject({
    code: 'CONFIG_LOCK_ERROR',
  })
})

test('a lock whose maker died before it was written is a leftover', async () => {
  await leaveLock('')
  await expect(withFileLock(file, async () => 'in', { timeoutMs: 30 })).rejects.toMatchObject({
    code: 'CONFIG_LOCK_ERROR',
  })
  const old = new Date(Date.now() - 3000)
  await utimes(`${file}.lock`, old, old)
  expect(await withFileLock(file, async () => 'in', { timeoutMs: 0 })).toBe('in')
})

test('an unreadable lock counts by its age', async () => {
  await leaveLock('?')
  await expect(withFileLock(file, async () => 'in', { timeoutMs: 30 })).rejects.toMatchObject({
    code: 'CONFIG_LOCK_ERROR',
  })
  const old = new Date(Date.now() - 31_000)
  await utimes(`${file}.lock`, old, old)
  expect(await withFileLock(file, async () => 'in', { timeoutMs: 0 })).toBe('in')
})

test('many waiters on one leftover still go one by one', async () => {
  await leaveLock({ pid: await deadPid(), time: Date.now(), host: hostname() })
  let inside = 0
  const overlaps: number[] = []
  const hold = () =>
    withFileLock(file, async () => {
      inside += 1
      if (inside > 1) overlaps.push(inside)
      await sleep(1)
      inside -= 1
    })
  await Promise.all(Array.from({ length: 20 }, hold))
  expect(overlaps).toEqual([])
})

test('a process that lost its lock as stale does not remove the next one', async () => {
  const next = JSON.stringify({ pid: process.pid, time: Date.now() })
  await withFileLock(file, () => leaveLock(next))
  expect(await readFile(`${file}.lock`, 'utf8')).toBe(next)
})

test('a place that cannot be written throws at once', async () => {
  await expect(withFileLock(join(dir, 'none/config'), async () => 'in')).rejects.toMatchObject({ code: 'ENOENT' })
})
