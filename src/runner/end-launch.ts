import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LAUNCH_FILES, type LaunchMark, type ProcessMark } from '../contract/launch.ts'
import { hookEnvironment } from '../hooks/callback.ts'
import { endRun, type RunMarks, runMarks } from '../process/end-run.ts'
import { isAlive } from '../process/identity.ts'
import { signalProcess } from '../process/signal.ts'
import { findRunners } from './find-runner.ts'
import { readInfo, readSpec } from './launch-files.ts'
import { readHeader } from './native-log.ts'

const GRACE_MS = 2000
const POLL_MS = 20
const MAX_POLLS = 100

/**
 * Ends a launch without asking its runner: the runner by KILL, which also ends one that is stopped, then the agent, its
 * group and whatever it has started. Processes are known by pid and start time, or by variables that only they have.
 * Damaged files do not prevent it. `recoverEvents` writes how the launch ended.
 */
export async function endLaunch(launchDir: string, mark: LaunchMark): Promise<void> {
  const info = await readInfo(launchDir).catch(() => null)
  await endRunners(async () => [...(info ? [info.runner] : []), ...(await findRunners(launchDir))].filter(isAlive))
  await endRun(await marksOf(launchDir, mark), info?.agent ?? null, GRACE_MS)
}

async function endRunners(alive: () => Promise<ProcessMark[]>): Promise<void> {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const runners = await alive()
    if (runners.length === 0) return
    for (const { pid } of runners) signalProcess(pid, 'SIGKILL')
    await sleep(POLL_MS)
  }
}

/** Every way to know the processes of this launch that is left. */
async function marksOf(launchDir: string, { sessionId, launch, dataDir }: LaunchMark): Promise<RunMarks> {
  const spec = await readSpec(launchDir).catch(() => null)
  const header = await readHeader(join(launchDir, LAUNCH_FILES.native)).catch(() => null)
  const runIds = new Set([spec?.options.runId, header?.runId].filter((id) => typeof id === 'string'))
  const given = Object.entries(hookEnvironment(sessionId, launch, dataDir))
  const hooks = given.map(([name, value]) => `${name}=${value}`)
  return [...[...runIds].flatMap(runMarks), hooks]
}
