import { setTimeout as sleep } from 'node:timers/promises'
import { processesOfRun } from './process-table.ts'

const PATIENCE_MS = 2000

/** What a run has left behind once its processes have had a moment to go. */
export async function processesLeft(runId: string): Promise<number[]> {
  const deadline = Date.now() + PATIENCE_MS
  let left = processesOfRun(runId)
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(50)
    left = processesOfRun(runId)
  }
  return left
}
