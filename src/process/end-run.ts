import { setTimeout as sleep } from 'node:timers/promises'
import { RUN_MARKER } from './environment.ts'
import { identityOf, isAlive, type ProcessIdentity } from './identity.ts'
import { nextLook, type ProcessRow, readRow } from './process-table.ts'
import { groupExists, signalGroup, signalProcess } from './signal.ts'

const POLL_MS = 20

/** By what the processes of a run are known: variables that all of them have, as `NAME=value`. */
export type RunMarks = readonly (readonly string[])[]

export function runMarks(runId: string): RunMarks {
  return [[`${RUN_MARKER}=${runId}`]]
}

/**
 * Ends what is left of a run whose driver is gone: the agent's process group, if that very agent still leads it, and
 * every process that carries a mark of the run. TERM, then KILL. True: nothing is left.
 */
export async function endRun(marks: RunMarks, agent: ProcessIdentity | null, graceMs: number): Promise<boolean> {
  const left = () => leftOf(marks, agent)
  const first = await left()
  if (isNothing(first)) return true
  signalAll(first, 'SIGTERM')
  signalAll(first, 'SIGCONT') // a stopped process would not act on the TERM
  const deadline = Date.now() + graceMs
  let rest = await left()
  for (; !isNothing(rest) && Date.now() < deadline; rest = await left()) await sleep(POLL_MS)
  for (let tries = 0; tries < 50 && !isNothing(rest); tries++) {
    signalAll(rest, 'SIGKILL')
    await sleep(POLL_MS)
    rest = await left()
  }
  return isNothing(rest)
}

function isNothing({ group, pids }: Left): boolean {
  return group === null && pids.length === 0
}

function signalAll({ group, pids }: Left, signal: NodeJS.Signals): void {
  if (group !== null) signalGroup(group, signal)
  for (const pid of pids) signalProcess(pid, signal)
}

interface Left {
  /** The leader of the agent's process group, if that still lives. */
  group: number | null
  pids: number[]
}

async function leftOf(marks: RunMarks, agent: ProcessIdentity | null): Promise<Left> {
  const table = await nextLook()
  const { rows } = table
  const pids = table.with(marks)
  if (!agent || agent.bootId !== identityOf(process.pid)?.bootId) return { group: null, pids }
  // A pid is not given again while a group of that number lives: either the agent still leads it or it is an orphan.
  const isReused = !isAlive(agent) && readRow(agent.pid) !== null
  return { group: isReused || !groupLives(agent.pid, rows) ? null : agent.pid, pids }
}

function groupLives(group: number, rows: readonly ProcessRow[]): boolean {
  // The table knows which ones are dead and only not reaped.
  if (rows.length > 0) return rows.some((row) => row.group === group)
  return groupExists(group)
}
