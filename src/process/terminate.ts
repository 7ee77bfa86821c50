import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf, groupIsAlive, isSameProcess, processesOfRun } from './process-table.ts'
import { runCommand } from './run-command.ts'

export interface ProcessTree {
  pid: number
  runId: string
}

const POLL_MS = 20
const MAX_KILLS = 50

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // already gone
  }
}

/** One signal to the whole process group of a run. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  signalTo(process.platform === 'win32' ? pid : -pid, signal)
}

/**
 * Ends every process of a run: TERM to the group and to those that left it, then KILL after the grace period.
 * Returns when none is left, or after a bounded number of tries.
 */
export async function endProcessTree({ pid, runId }: ProcessTree, graceMs: number): Promise<void> {
  if (process.platform === 'win32') {
    await runCommand('taskkill', ['/PID', String(pid), '/T', '/F']).catch(() => undefined)
    return
  }
  const descendants = descendantsOf(pid)
  const strays = () => [
    ...new Set([...processesOfRun(runId), ...descendants.filter(isSameProcess).map((row) => row.pid)]),
  ]
  const isGone = () => !groupIsAlive(pid) && strays().length === 0
  const signalAll = (signal: NodeJS.Signals) => {
    signalGroup(pid, signal)
    for (const stray of strays()) signalTo(stray, signal)
  }

  if (isGone()) return
  signalAll('SIGTERM')
  signalAll('SIGCONT') // a stopped process would not act on the TERM
  const deadline = Date.now() + graceMs
  while (Date.now() < deadline) {
    if (isGone()) return
    await sleep(POLL_MS)
  }
  for (let kills = 0; kills < MAX_KILLS && !isGone(); kills++) {
    signalAll('SIGKILL')
    await sleep(POLL_MS)
  }
}
