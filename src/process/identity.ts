import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readRow } from './process-table.ts'

/** A process for good: pids are used again, within minutes or after a reboot. */
export interface ProcessIdentity {
  pid: number
  /** As the system reports it; only ever compared. */
  startTime: string
  bootId: string
}

/** Null when no such process lives. */
export function identityOf(pid: number): ProcessIdentity | null {
  const startTime = startTimeOf(pid)
  return startTime === null ? null : { pid, startTime, bootId: bootId() }
}

/** Whether that very process is still alive. */
export function isAlive({ pid, startTime, bootId: boot }: ProcessIdentity): boolean {
  return boot === bootId() && startTimeOf(pid) === startTime
}

/** For processes in a backup: none of them is alive here. */
export const RESTORED_BOOT = 'restored from a backup'

let boot: string | undefined

/** Differs after every start of the machine. */
export function bootId(): string {
  boot ??= readBootId()
  return boot
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    // macOS and the BSDs
    return outputOf('sysctl', ['-n', 'kern.boottime']) ?? 'unknown'
  }
}

function startTimeOf(pid: number): string | null {
  if (process.platform === 'linux') return readRow(pid)?.startTime ?? null
  if (process.platform !== 'win32') return outputOf('ps', ['-o', 'lstart=', '-p', String(pid)])
  try {
    process.kill(pid, 0)
    return 'unknown'
  } catch {
    return null
  }
}

function outputOf(command: string, args: string[]): string | null {
  const { stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 2000, env: { ...process.env, LC_ALL: 'C' } })
  return stdout?.trim() || null
}
