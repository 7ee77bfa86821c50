/**
 * The one place that signals other processes. kill(2) reads 0 as our own group and -1 as every process there is, so a
 * pid that is not known or was read from a damaged file must never get there. False: no such process.
 */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): boolean {
  return isPid(pid) && send(pid, signal)
}

/** The group that this process leads. Windows has no groups: the process alone. */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals): boolean {
  if (!isPid(leader)) return false
  return send(process.platform === 'win32' ? leader : -leader, signal)
}

/** Whether anything of that group is alive. One of another user counts. */
export function groupExists(leader: number): boolean {
  if (!isPid(leader)) return false
  try {
    process.kill(-leader, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Process 1 started everything and is never ours. */
export function isPid(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 1
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal)
    return true
  } catch {
    return false // gone by itself, or not ours
  }
}
