import { setTimeout as sleep } from 'node:timers/promises'
import { RUN_MARKER } from './environment.ts'
import { childrenOf, hasVariable, linkOf, liveRows, openFiles, type ProcessRow, readRow } from './process-table.ts'
import { runCommand } from './run-command.ts'
import { groupExists, signalGroup, signalProcess } from './signal.ts'

const FIRST_POLL_MS = 10
const LAST_POLL_MS = 100
const MAX_KILLS = 50
/** How long the agent may take to leave before its tools are ended as well. */
const ALONE_MS = 1000
/** How often at most, and at least, we look who has come up below the agent. */
const LOOK_MS = 50
const WATCH_MS = 200

/**
 * Every process that one agent process has led to. Most are in its group. One that left the group (`setsid`) is known
 * by the run's marker in its environment; one that cleared that too, by having been seen below the agent or by holding
 * the agent's pipe. All but the group needs /proc: elsewhere the group must do.
 */
export class ProcessTree {
  readonly #pid: number
  readonly #marker: string
  readonly #pipes: ReadonlySet<string>
  /** Seen below the agent, by pid. */
  readonly #known = new Map<number, string>()
  /** Whether a process carries the marker, by pid and start time: its environment is read once. */
  readonly #marked = new Map<string, boolean>()
  readonly #watch: NodeJS.Timeout
  /** When the agent began, in the system's own ticks: what is older is not of the run, and its environment is not read. */
  readonly #begun: number
  #lookedAt = 0

  constructor(pid: number, runId: string) {
    this.#pid = pid
    this.#marker = `${RUN_MARKER}=${runId}`
    this.#pipes = new Set([...linkOf(pid, 1), ...linkOf(pid, 2)].filter((link) => /^(pipe|socket):/.test(link)))
    this.#begun = Number(readRow(pid)?.startTime ?? 0)
    this.#watch = setInterval(() => this.look(), WATCH_MS).unref()
  }

  /** Takes note of who is below the agent now. Cheap, and called when the agent says something. */
  look(): void {
    const now = Date.now()
    if (process.platform !== 'linux' || now - this.#lookedAt < LOOK_MS) return
    this.#lookedAt = now
    const queue = [this.#pid, ...this.#known.keys()]
    const visited = new Set<number>()
    for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
      if (visited.has(pid)) continue
      visited.add(pid)
      const row = readRow(pid)
      if (row === null || (this.#known.has(pid) && this.#known.get(pid) !== row.startTime)) this.#known.delete(pid)
      else {
        if (pid !== this.#pid) this.#known.set(pid, row.startTime)
        queue.push(...childrenOf(pid))
      }
    }
  }

  stopWatching(): void {
    clearInterval(this.#watch)
  }

  /** One signal to the whole process group. */
  signalGroup(signal: NodeJS.Signals): void {
    signalGroup(this.#pid, signal)
  }

  /**
   * TERM to all, KILL to what is left after the grace period; without one KILL alone, which also ends what is stopped
   * before it can go on. Returns when none is left, or after a bounded number of
   * tries. `pipeIsHeld`: also look for processes that still hold the agent's output.
   */
  async end(graceMs: number, pipeIsHeld = false): Promise<void> {
    if (process.platform === 'win32') {
      await runCommand('taskkill', ['/PID', String(this.#pid), '/T', '/F']).catch(() => undefined)
      return
    }
    if (pipeIsHeld) this.#findPipeHolders()
    if (this.#isGone()) return
    const deadline = Date.now() + graceMs
    if (graceMs > 0) {
      // First the agent alone: it would take the end of its tools for their result, and ask for more.
      signalProcess(this.#pid, 'SIGTERM')
      this.#signalAll('SIGCONT') // a stopped process would not act on the TERM
      await pollUntil(Math.min(deadline, Date.now() + ALONE_MS), () => readRow(this.#pid) === null)
      this.#signalAll('SIGTERM')
    }
    if (await pollUntil(deadline, () => this.#isGone())) return
    for (let kills = 0; kills < MAX_KILLS && !this.#isGone(); kills++) {
      this.#signalAll('SIGKILL')
      await sleep(FIRST_POLL_MS)
    }
  }

  #isGone(): boolean {
    const rows = liveRows()
    if (rows.length > 0) return this.#members(rows).length === 0
    return !groupExists(this.#pid)
  }

  #signalAll(signal: NodeJS.Signals): void {
    this.signalGroup(signal)
    for (const { pid, group } of this.#members(liveRows())) if (group !== this.#pid) signalProcess(pid, signal)
  }

  /** The run's own among the live processes, with all their descendants. */
  #members(rows: readonly ProcessRow[]): ProcessRow[] {
    const ours = new Map<number, ProcessRow>()
    for (const row of rows) if (this.#isOurs(row)) ours.set(row.pid, row)
    for (let found = ours.size > 0; found; ) {
      found = false
      for (const row of rows) {
        if (ours.has(row.pid) || !ours.has(row.parent)) continue
        ours.set(row.pid, row)
        this.#known.set(row.pid, row.startTime) // its parent may be the next to go
        found = true
      }
    }
    return [...ours.values()]
  }

  #isOurs(row: ProcessRow): boolean {
    return row.group === this.#pid || this.#known.get(row.pid) === row.startTime || this.#isMarked(row)
  }

  #isMarked({ pid, startTime }: ProcessRow): boolean {
    if (Number(startTime) < this.#begun) return false
    const key = `${pid}:${startTime}`
    const known = this.#marked.get(key)
    if (known !== undefined) return known
    const marked = hasVariable(pid, this.#marker)
    if (marked !== null) this.#marked.set(key, marked)
    return marked ?? false
  }

  #findPipeHolders(): void {
    if (this.#pipes.size === 0) return
    for (const { pid, startTime } of liveRows()) {
      if (openFiles(pid).some((link) => this.#pipes.has(link))) this.#known.set(pid, startTime)
    }
  }
}

/** False: it did not come to be. */
async function pollUntil(deadline: number, isSo: () => boolean): Promise<boolean> {
  for (let pause = FIRST_POLL_MS; Date.now() < deadline; pause = Math.min(pause * 2, LAST_POLL_MS)) {
    await sleep(Math.min(pause, deadline - Date.now()))
    if (isSo()) return true
  }
  return false
}
