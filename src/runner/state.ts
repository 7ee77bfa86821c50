import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LAUNCH_FILES, type RunnerInfo, type RunnerState } from '../contract/launch.ts'
import { DamagedFile } from '../files/read-own-file.ts'
import { isAlive } from '../process/identity.ts'
import { findRunners, infoOf, NO_PROCESS } from './find-runner.ts'
import { readInfo, readResult } from './launch-files.ts'
import { defaultSocketPath } from './socket-path.ts'

/** The state of a launch. A damaged file is not an error here: what it should say is found another way, or it is lost. */
export async function runnerState(launchDir: string): Promise<RunnerState> {
  const info = await orDamage(readInfo(launchDir))
  const alive = info.value !== null && isAlive(info.value.runner)
  // Looked for last: a runner that has just left had written it before.
  const result = await orDamage(readResult(launchDir))
  if (result.value) return { state: 'ended', result: result.value }
  if (info.value) {
    return alive ? { state: 'alive', info: info.value } : { state: 'lost', info: info.value, damage: result.damage }
  }
  // The first thing that a runner does after its claim is to open its log.
  const wasStarted = statSync(join(launchDir, LAUNCH_FILES.native), { throwIfNoEntry: false })?.isFile() ?? false
  const damage = info.damage ?? result.damage ?? (wasStarted ? `${launchDir} has no ${LAUNCH_FILES.runner}` : undefined)
  return damage === undefined ? { state: 'never_started' } : withoutInfo(launchDir, damage)
}

async function withoutInfo(launchDir: string, damage: string): Promise<RunnerState> {
  const [runner] = await findRunners(launchDir)
  const info = (mark: RunnerInfo['runner']) => infoOf(basename(launchDir), mark, defaultSocketPath(launchDir))
  return runner ? { state: 'alive', info: info(runner) } : { state: 'lost', info: info(NO_PROCESS), damage }
}

async function orDamage<T>(reading: Promise<T | null>): Promise<{ value: T | null; damage?: string }> {
  try {
    return { value: await reading }
  } catch (error) {
    if (error instanceof DamagedFile) return { value: null, damage: error.message }
    throw error
  }
}
