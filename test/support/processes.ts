import { readFileSync } from 'node:fs'
import { processesOfRun } from '../../src/process/process-table.ts'

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}

/** What is left of a run: by the marker in the environment, and by the pids that the program told. */
export function leftOvers(runId: string, pids: readonly number[]): number[] {
  return [...new Set([...processesOfRun(runId), ...pids.filter(isAlive)])]
}
