import { readdirSync, readFileSync } from 'node:fs'
import { RUN_MARKER } from './environment.ts'

/** One row of the process table. The start time tells a process from a later one with the same pid. */
interface ProcessRow {
  pid: number
  state: string
  parent: number
  group: number
  startTime: string
}

function readProc(pid: string | number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return null // gone, or another user's
  }
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => name.charCodeAt(0) >= 0x31 && name.charCodeAt(0) <= 0x39)
  } catch {
    return [] // not Linux
  }
}

function readRow(pid: string | number): ProcessRow | null {
  const stat = readProc(pid, 'stat')
  if (stat === null) return null
  // The command name stands in parentheses and may hold anything, so count fields from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number(pid),
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startTime: fields[19] ?? '',
  }
}

function liveRows(): ProcessRow[] {
  return pids()
    .map(readRow)
    .filter((row) => row !== null)
    .filter((row) => row.state !== 'Z')
}

/**
 * Processes that carry the marker of a run, wherever they hang in the process tree: a `setsid` or a double fork
 * takes a process out of its group, but not out of its environment. Linux only; elsewhere the group must do.
 */
export function processesOfRun(runId: string): number[] {
  const marker = `${RUN_MARKER}=${runId}`
  return liveRows()
    .filter(({ pid }) => pid !== process.pid && readProc(pid, 'environ')?.split('\0').includes(marker))
    .map(({ pid }) => pid)
}

/** Live descendants of a process, for those that have cleared their environment. Linux only. */
export function descendantsOf(root: number): ProcessRow[] {
  const rows = liveRows()
  const found: ProcessRow[] = []
  const queue = [root]
  for (let parent = queue.pop(); parent !== undefined; parent = queue.pop()) {
    for (const row of rows) {
      if (row.parent !== parent) continue
      found.push(row)
      queue.push(row.pid)
    }
  }
  return found
}

export function isSameProcess(row: ProcessRow): boolean {
  const now = readRow(row.pid)
  return now !== null && now.startTime === row.startTime && now.state !== 'Z'
}

/** Whether any live process is in the group. */
export function groupIsAlive(groupId: number): boolean {
  try {
    process.kill(-groupId, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  // kill(2) also finds zombies that nobody has reaped yet, which are dead for our purpose.
  return process.platform !== 'linux' || liveRows().some((row) => row.group === groupId)
}
