import { readFileSync } from 'node:fs'
import { processesOfRun } from '../../src/process/process-table.ts'
import { isPid } from '../../src/process/signal.ts'

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

/** Fails without a process: `process.kill(0)` would end our own group, which is the test run itself. */
export function sendSignal(pid: number | undefined, signal: NodeJS.Signals): void {
  if (!isPid(pid)) throw new Error(`There is no process to signal: ${pid}`)
  process.kill(pid, signal)
}
