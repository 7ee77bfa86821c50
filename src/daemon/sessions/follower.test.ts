import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LaunchResult, RunnerModule } from '../../contract/launch.ts'
import { Follower } from './follower.ts'

const PAGES = 500
const RESULT: LaunchResult = {
  ...{ format: 1, launchId: 'l', endedAt: 1, how: 'ended', result: null, exit: null, error: null, records: PAGES },
}

// Its records are read without waiting for a disk: a promise that is there already lets nobody else have a turn.
test('an agent that floods us is not all that the daemon hears: others have their turn between any two pages', async () => {
  let taken = 0
  const runner: Pick<RunnerModule, 'connectRunner' | 'readRecords' | 'runnerState'> = {
    connectRunner: () => Promise.reject(new Error('nobody is asked')),
    runnerState: () => Promise.resolve({ state: 'ended', result: RESULT }),
    readRecords: (_, offset) =>
      Promise.resolve({
        records:
          offset < PAGES ? [{ n: offset + 1, fact: { state: 'active', source: 'protocol', at: 1, launch: 1 } }] : [],
        bodies: [''],
        offset: offset + 1,
      }),
  }
  const follower = new Follower({
    ...{ launchDir: '', position: 0, runner, trouble: () => {}, ended: () => {} },
    recover: () => Promise.resolve(RESULT),
    abandon: () => Promise.resolve(RESULT),
    take: () => {
      taken += 1
    },
  })
  const following = follower.follow()
  let most = 0
  for (let before = 0; taken < PAGES; before = taken) {
    await turn()
    most = Math.max(most, taken - before)
  }
  await following
  expect(most).toBeLessThanOrEqual(2)
})
