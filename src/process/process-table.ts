import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { RUN_MARKER } from './environment.ts'

/** One row of the process table. The start time distinguishes a process from a later one with the same pid. */
export interface ProcessRow {
  pid: number
  parent: number
  group: number
  startTime: string
}

function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
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
  // The command name is in parentheses and may hold anything, so count fields from its end.
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

/**
 * Null: it cannot be determined. Between two programs (`execve`) a process shows no environment at all for a moment.
 */
export function hasVariable(pid: number, assignment: string): boolean | null {
  const environment = readProc(`${pid}/environ`)
  return environment ? environment.split('\0').includes(assignment) : null
}

/** Live processes that carry the marker of a run, wherever they hang in the process tree. */
export function processesOfRun(runId: string): number[] {
  return processesWith([[`${RUN_MARKER}=${runId}`]])
}

/** One look at all processes. What it has read of them is kept, so that several can ask. */
export class ProcessTable {
  readonly rows = liveRows()
  readonly #environments = new Map<number, string>()
  readonly #words = new Map<number, string[]>()

  /** Processes that were given all variables of one of these marks, each as `NAME=value`. */
  with(marks: readonly (readonly string[])[]): number[] {
    return this.rows.flatMap(({ pid }) => {
      const environment = kept(this.#environments, pid, () => `\0${readProc(`${pid}/environ`) ?? ''}\0`)
      return marks.some((mark) => mark.every((one) => environment.includes(`\0${one}\0`))) ? [pid] : []
    })
  }

  /** Own processes whose last argument is this one. */
  calledWith(lastArgument: string): number[] {
    const uid = process.getuid?.()
    return this.rows.flatMap(({ pid }) => {
      const words = kept(this.#words, pid, () => readProc(`${pid}/cmdline`)?.split('\0') ?? [])
      return words.at(-2) === lastArgument && ownerOf(pid) === uid ? [pid] : []
    })
  }
}

function kept<T>(all: Map<number, T>, pid: number, read: () => T): T {
  const known = all.get(pid)
  if (known !== undefined) return known
  const value = read()
  all.set(pid, value)
  return value
}

/** Live processes that were given all variables of one of these marks, each as `NAME=value`. */
export function processesWith(marks: readonly (readonly string[])[]): number[] {
  return new ProcessTable().with(marks)
}

/** Own live processes whose last argument is this one. Empty where there is no /proc. */
export function processesCalledWith(lastArgument: string): number[] {
  return new ProcessTable().calledWith(lastArgument)
}

/** Questions within this time share one look. */
const GATHER_MS = 5
let next: Promise<ProcessTable> | null = null

/**
 * A look that begins after this call, shared by all who ask at the same time: one look costs milliseconds for each
 * hundred processes, and a daemon may have many launches to end at once.
 */
export function nextLook(): Promise<ProcessTable> {
  next ??= new Promise((resolve) => {
    setTimeout(() => {
      next = null
      resolve(new ProcessTable())
    }, GATHER_MS)
  })
  return next
}

function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid
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
