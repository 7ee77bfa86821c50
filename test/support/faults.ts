import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesCalledWith } from '../../src/process/process-table.ts'
import type { DaemonHome } from './daemons.ts'
import { DAMAGES, FILES } from './damages.ts'
import { isAlive, sendSignal } from './processes.ts'

/** What can happen to a session from outside; all but `socket` and `disk` end it. */
export type Fault = 'runner' | 'agent' | 'early' | 'stopped' | 'damage' | 'socket'

export const FAULTS: readonly Fault[] = ['runner', 'agent', 'early', 'stopped', 'damage', 'socket']

export function pick<T>(from: readonly T[]): T | undefined {
  return from[Math.floor(Math.random() * from.length)]
}

function kill(pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (pid === undefined || !isAlive(pid)) return false
  sendSignal(pid, signal)
  return true
}

/** One whose runner is there, but has not claimed its launch yet. Undefined when none is found within a moment. */
export async function unclaimedSession(daemon: DaemonHome): Promise<string | undefined> {
  const launches = join(daemon.dataDir, 'launches')
  for (const deadline = Date.now() + LOOK_MS; Date.now() < deadline; await sleep(5)) {
    // The first spawn of all makes the directory.
    const names = existsSync(launches) ? readdirSync(launches) : []
    const found = names.find((name) => {
      const isClaimed = existsSync(join(launches, name, 'runner.json'))
      return !isClaimed && processesCalledWith(join(launches, name)).length > 0
    })
    if (found !== undefined) return found.replace(/-1$/, '')
  }
  return undefined
}

const LOOK_MS = 1000

/** Does it to a session. False: it cannot be done at the moment. */
export function inflict(daemon: DaemonHome, id: string, fault: Fault): boolean {
  const launchDir = join(daemon.dataDir, 'launches', `${id}-1`)
  const isClaimed = existsSync(join(launchDir, 'runner.json'))
  if (fault === 'early') return !isClaimed && kill(processesCalledWith(launchDir)[0], 'SIGKILL')
  if (!isClaimed) return false
  const { runner, agent, socket } = daemon.runnerInfo(`${id}-1`)
  switch (fault) {
    case 'runner':
      return kill(runner.pid, 'SIGKILL')
    case 'agent':
      return kill(agent?.pid, 'SIGKILL')
    case 'socket':
      rmSync(socket, { force: true })
      return true
    case 'stopped':
      return kill(runner.pid, 'SIGSTOP')
    case 'damage':
      if (!kill(runner.pid, 'SIGKILL')) return false
      DAMAGES[pick(['empty', 'garbage', 'a directory']) ?? '']?.(join(launchDir, pick(FILES) ?? ''))
      return true
  }
}
