import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { LaunchResult, RunnerConnection, RunnerStatus } from '../../src/contract/launch.ts'
import { allRecords, counted, eventsOf, type LaunchBench, launchBench } from './launches.ts'
import { until } from './until.ts'

export const SECRETS = { env: { SECRET_OF_THE_AGENT: 'hunter2' } }

/** Starts launches and looks at them; for one test file. */
export function runnerBench() {
  let bench: LaunchBench

  beforeAll(async () => {
    bench = await launchBench()
  })
  afterAll(() => bench.remove())

  async function start(prompt: string, options: Parameters<LaunchBench['newLaunch']>[1] = {}) {
    const { launchDir, spec } = bench.newLaunch(prompt, options)
    const hidden = await bench.runner.createLaunch(launchDir, spec, SECRETS, bench.env)
    const state = await bench.runner.startRunner(launchDir, SECRETS, bench.env, hidden)
    return { launchDir, spec, state }
  }

  function ended(launchDir: string): Promise<LaunchResult> {
    return until('the launch has ended', async () => {
      const state = await bench.runner.runnerState(launchDir)
      return state.state === 'ended' && state.result
    })
  }

  async function statusOf(connection: RunnerConnection): Promise<RunnerStatus> {
    const status = await connection.request({ command: 'status' })
    if (!status || !('pending' in status)) throw new Error('not a status')
    return status
  }

  /** What the runner has told of its agent. */
  function agentIn(launchDir: string): unknown {
    return JSON.parse(readFileSync(join(launchDir, 'runner.json'), 'utf8')).agent
  }

  async function saidIn(launchDir: string): Promise<number[]> {
    return counted(eventsOf(await allRecords(bench.runner, launchDir)))
  }

  return { agentIn, bench: () => bench, ended, saidIn, start, statusOf }
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
