import type { RunnerState } from '../contract/launch.ts'
import { isAlive } from '../process/identity.ts'
import { readInfo, readResult } from './launch-files.ts'

export async function runnerState(launchDir: string): Promise<RunnerState> {
  const info = await readInfo(launchDir)
  const alive = info !== null && isAlive(info.runner)
  // Looked for last: a runner that has just left had written it before.
  const result = await readResult(launchDir)
  if (result) return { state: 'ended', result }
  if (!info) return { state: 'never_started' }
  return alive ? { state: 'alive', info } : { state: 'lost', info }
}
