import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processesWith } from '../src/process/process-table.ts'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'
import { until } from './support/until.ts'

let built: DaemonPackage
let user: DaemonHome

beforeAll(() => {
  built = buildPackage()
  user = new DaemonHome(built, built.counting)
})
afterAll(async () => {
  await user.remove()
  built.remove()
})

// The agent of this run does not look at its stdin until it has counted, and has left a child in a session of its own.
test('kill -9 of amux run leaves no agent behind, nor what the agent has started', async () => {
  const prompt = 'leave 100000'
  const run = spawn(process.execPath, [built.cli, 'run', 'claude', '--json', prompt], {
    env: user.env,
    cwd: user.work,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ours = () => processesWith([[`HOME=${user.home}`]]).filter((pid) => pid !== run.pid)
  await until('it counts', () => ours().length >= 2)
  const exited = once(run, 'exit')
  run.kill('SIGKILL')
  await exited
  await until('nobody is left', () => ours().length === 0)
  expect(ours()).toEqual([])
})
