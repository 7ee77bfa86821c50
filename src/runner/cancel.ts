import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { LaunchResult, RunnerInfo } from '../contract/launch.ts'
import { signalProcess } from '../process/signal.ts'
import { findRunners, infoOf, NO_PROCESS } from './find-runner.ts'
import { claimLaunch, readInfo, readResult, writeResult } from './launch-files.ts'

/**
 * Makes sure that no runner ever starts this launch: cancelling takes the only claim, so that a runner
 * that comes late, after a stop or under another daemon, finds it taken and leaves. False: a runner has it already.
 * `error`: why it failed; null when it was wanted.
 */
export async function cancelLaunch(launchDir: string, error: LaunchResult['error']): Promise<boolean> {
  if (!existsSync(launchDir)) return true // there is nothing left that a runner could start from
  if (await readResult(launchDir).catch(() => null)) return false // it has ended already
  const info = { ...infoOf(basename(launchDir), NO_PROCESS, ''), cancelled: { error } }
  const isOurs = claimLaunch(launchDir, info)
  const claimed = isOurs ? info : await readInfo(launchDir).catch(() => null)
  if (!claimed?.cancelled) return false
  // One that is stopped, or slow. It owns nothing yet.
  for (const { pid } of await findRunners(launchDir)) signalProcess(pid, 'SIGKILL')
  await writeResult(launchDir, resultOfCancelled(claimed), (text) => text)
  return true
}

export function resultOfCancelled({ launchId, cancelled }: RunnerInfo): LaunchResult {
  const error = cancelled?.error ?? null
  return { format: 1, launchId, endedAt: Date.now(), how: 'refused', result: null, exit: null, error, records: 0 }
}
