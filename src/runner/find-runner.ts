import type { ProcessMark, RunnerInfo } from '../contract/launch.ts'
import { identityOf } from '../process/identity.ts'
import { nextLook } from '../process/process-table.ts'

/** The runners of a launch that live, by their command line: for when its files do not say. */
export async function findRunners(launchDir: string): Promise<ProcessMark[]> {
  const table = await nextLook()
  return table.calledWith(launchDir).flatMap((pid) => identityOf(pid) ?? [])
}

/** The process of no runner: it is never alive. */
export const NO_PROCESS: ProcessMark = { pid: 0, startTime: '', bootId: 'none' }

export function infoOf(launchId: string, runner: ProcessMark, socket: string): RunnerInfo {
  return { format: 1, launchId, runner, agent: null, socket, startedAt: Date.now(), version: 'unknown' }
}
