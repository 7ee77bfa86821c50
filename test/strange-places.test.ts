import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { isAlive } from './support/processes.ts'
import { until } from './support/until.ts'

const SCRIPT = fileURLToPath(new URL('../scripts/strange-places.mjs', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'amux-places-'))

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Starts a process that leaves its group and its environment, as daemons do, and waits. */
const LEAVER = `
  const { spawn } = require('node:child_process')
  const wait = ['-e', 'setInterval(() => {}, 1000)']
  const away = spawn(process.execPath, wait, { detached: true, stdio: 'ignore', env: {} })
  console.log('PIDS ' + process.pid + ' ' + away.pid)
  setInterval(() => {}, 1000)`

test('stopped by a signal, strange-places leaves nothing behind', async () => {
  const script = spawn(process.execPath, [SCRIPT, 'private', '--', process.execPath, '-e', LEAVER], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  script.stdout.on('data', (chunk) => {
    output += chunk
  })
  const ended = once(script, 'exit')
  const told = await until('both run', () => /PIDS (\d+) (\d+)/.exec(output), 50_000)
  script.kill('SIGTERM')
  expect(await ended).toEqual([143, null])
  expect(told.slice(1).map(Number).filter(isAlive)).toEqual([])
  expect(readdirSync(scratch)).toEqual([])
})
