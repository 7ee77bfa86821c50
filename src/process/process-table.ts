import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { RUN_MARKER } from './environment.ts'

/** One row of the process table. The start time tells a process from a later one with the same pid. */
export interface ProcessRow {
  pid: number
  parent: number
  group: number
  startTime: string
}

function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'latin1')
  } catch {
    return null // gone, or another user's
  }
}

function listProc(path: string): string[] {
  try {
    return readdirSync(`/proc/${path}`)
  } catch {
    return [] // gone, or not Linux
  }
}

/** Null for a process that is gone, or dead and only not reaped yet. */
export function readRow(pid: string | number): ProcessRow | null {
  const stat = readProc(`${pid}/stat`)
  if (stat === null) return null
  // The command name stands in parentheses and may hold anything, so count fields from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return { pid: Number(pid), parent: Number(fields[1]), group: Number(fields[2]), startTime: fields[19] ?? '' }
}

/** Every live process but our own. Empty where there is no /proc. */
export function liveRows(): ProcessRow[] {
  return listProc('')
    .filter((name) => name.charCodeAt(0) >= 0x31 && name.charCodeAt(0) <= 0x39 && name !== `${process.pid}`)
    .map(readRow)
    .filter((row) => row !== null)
}

/** Null: it cannot be told. Between two programs (`execve`) a process shows no environment at all for a moment. */
export function hasVariable(pid: number, assignment: string): boolean | null {
  const environment = readProc(`${pid}/environ`)
  return environment ? environment.split('\0').includes(assignment) : null
}

/** Live processes that carry the marker of a run, wherever they hang in the process tree. */
export function processesOfRun(runId: string): number[] {
  return liveRows()
    .map(({ pid }) => pid)
    .filter((pid) => hasVariable(pid, `${RUN_MARKER}=${runId}`))
}

/** Children of all threads of a process: far cheaper than the whole table. */
export function childrenOf(pid: number): number[] {
  return listProc(`${pid}/task`).flatMap((task) =>
    (readProc(`${pid}/task/${task}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  )
}

/** What the file descriptors of a process lead to, `pipe:[123]` for instance. */
export function openFiles(pid: number): string[] {
  return listProc(`${pid}/fd`).flatMap((fd) => linkOf(pid, fd))
}

export function linkOf(pid: number, fd: number | string): string[] {
  try {
    return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
  } catch {
    return []
  }
}
