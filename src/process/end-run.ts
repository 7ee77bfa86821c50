import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, isAlive, type ProcessIdentity } from './identity.ts'
import { liveRows, processesOfRun, readRow } from './process-table.ts'

const POLL_MS = 20

/**
 * Ends what is left of a run whose driver is gone: the agent's process group, if that very agent still leads it, and
 * every process that carries the marker of the run. TERM, then KILL. True: nothing is left.
 */
export async function endRun(runId: string, agent: ProcessIdentity | null, graceMs: number): Promise<boolean> {
  const left = () => leftOf(runId, agent)
  signalAll(left(), 'SIGTERM')
  const deadline = Date.now() + graceMs
  while (left().length > 0 && Date.now() < deadline) await sleep(POLL_MS)
  for (let tries = 0; tries < 50 && left().length > 0; tries++) {
    signalAll(left(), 'SIGKILL')
    await sleep(POLL_MS)
  }
  return left().length === 0
}

/** What to signal: pids, and the group as its negative. */
function leftOf(runId: string, agent: ProcessIdentity | null): number[] {
  const marked = processesOfRun(runId)
  if (!agent || agent.bootId !== identityOf(process.pid)?.bootId) return marked
  // A pid is not given again while a group of that number lives: either the agent still leads it or it is an orphan.
  const isReused = !isAlive(agent) && readRow(agent.pid) !== null
  return isReused || !groupLives(agent.pid) ? marked : [-agent.pid, ...marked]
}

function groupLives(group: number): boolean {
  const rows = liveRows()
  // The table knows which ones are dead and only not reaped.
  if (rows.length > 0) return rows.some((row) => row.group === group)
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

function signalAll(targets: readonly number[], signal: NodeJS.Signals): void {
  for (const target of targets) {
    try {
      process.kill(target, signal)
    } catch {
      // gone by itself
    }
  }
}
