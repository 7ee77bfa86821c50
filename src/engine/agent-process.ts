import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { StreamSource } from '../contract/events.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import { LineSplitter } from '../core/lines.ts'
import { spawnAgent } from '../process/spawn-agent.ts'
import { endProcessTree, signalGroup } from '../process/terminate.ts'

export interface ProcessEnd {
  exitCode: number | null
  signal: string | null
  stderr: string
  spawnError?: Error
}

export interface ProcessListener {
  onLine(line: string, source: StreamSource): void
  onOversizedLine(bytes: number, source: StreamSource): void
  /** After each chunk: true stops reading until `resumeReading`. */
  mustWait(): boolean
}

const STDERR_TAIL_BYTES = 64 * 1024
/** How long the pipes may stay open after the agent itself has exited. */
const DRAIN_MS = 300
/** How long strays get between TERM and KILL once their agent is gone. */
const STRAY_GRACE_MS = 300
/** After everything is dead, how long a pipe that still does not end is waited for. */
const LAST_RESORT_MS = 1000

/** One agent process: its pipes as lines with backpressure, its group as one thing to signal, its end as one promise. */
export class AgentProcess {
  readonly closed: Promise<ProcessEnd>
  readonly #child: ChildProcessWithoutNullStreams
  readonly #runId: string
  readonly #listener: ProcessListener
  #stderrTail = Buffer.alloc(0)
  #stdinEnded = false
  #isWaiting = false
  #hasExited = false
  #ending: Promise<void> | null = null

  static async start(
    args: SpawnArgs,
    env: Record<string, string>,
    runId: string,
    listener: ProcessListener,
  ): Promise<AgentProcess> {
    const { child, cleanUp } = await spawnAgent(args, env, runId)
    return new AgentProcess(child, cleanUp, runId, listener)
  }

  private constructor(
    child: ChildProcessWithoutNullStreams,
    cleanUp: () => Promise<void>,
    runId: string,
    listener: ProcessListener,
  ) {
    this.#child = child
    this.#runId = runId
    this.#listener = listener
    this.#read('stdout')
    this.#read('stderr')
    // A write to an agent that has just died must not throw from nowhere: its end is told by `closed`.
    child.stdin.on('error', () => {})
    this.closed = this.#untilClosed().finally(cleanUp)
  }

  get canWrite(): boolean {
    return !this.#stdinEnded && this.#child.stdin.writable
  }

  write(text: string): void {
    if (this.canWrite) this.#child.stdin.write(text)
  }

  closeStdin(): void {
    this.#stdinEnded = true
    this.#child.stdin.end()
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined && !this.#hasExited) signalGroup(this.#child.pid, signal)
  }

  /** TERM, grace, KILL, to everything the run has started. */
  end(graceMs: number): Promise<void> {
    this.#ending ??= this.#endTree(graceMs)
    return this.#ending
  }

  resumeReading(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#child.stdout.resume()
    this.#child.stderr.resume()
  }

  #endTree(graceMs: number): Promise<void> {
    const { pid } = this.#child
    return pid === undefined ? Promise.resolve() : endProcessTree({ pid, runId: this.#runId }, graceMs)
  }

  #read(source: StreamSource): void {
    const onOversized = (bytes: number) => this.#listener.onOversizedLine(bytes, source)
    const splitter = new LineSplitter({ onOversized })
    const stream = this.#child[source]
    const lines: string[] = []
    stream.on('data', (chunk: Buffer) => {
      if (source === 'stderr') this.#stderrTail = Buffer.concat([this.#stderrTail, chunk]).subarray(-STDERR_TAIL_BYTES)
      lines.length = 0
      for (const line of splitter.push(chunk, lines)) this.#listener.onLine(line, source)
      if (this.#listener.mustWait()) this.#wait()
    })
    stream.on('end', () => {
      const rest = splitter.flush()
      if (rest !== null) this.#listener.onLine(rest, source)
    })
    stream.on('error', () => {}) // the end of the run is told by `closed`
  }

  #wait(): void {
    this.#isWaiting = true
    this.#child.stdout.pause()
    this.#child.stderr.pause()
  }

  async #untilClosed(): Promise<ProcessEnd> {
    const child = this.#child
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const spawnError = await new Promise<Error | null>((resolve) => {
      child.once('error', resolve)
      child.once('exit', () => resolve(null))
    })
    this.#hasExited = true
    if (spawnError && child.pid === undefined) return this.#end(spawnError)
    // A descendant that holds the pipe must not hold the run: it is ended once the agent itself is gone.
    const drained = await Promise.race([closed.then(() => true), delay(DRAIN_MS)])
    await (this.#ending ?? this.#endTree(STRAY_GRACE_MS))
    if (!drained) await this.#untilEnded(closed)
    return this.#end()
  }

  /** Reads what is left in the pipes, at the readers' pace; gives up only on a pipe that nobody living can close. */
  async #untilEnded(closed: Promise<void>): Promise<void> {
    for (;;) {
      const done = await Promise.race([closed.then(() => true), delay(LAST_RESORT_MS)])
      if (done) return
      if (this.#isWaiting) continue
      this.#child.stdout.destroy()
      this.#child.stderr.destroy()
      return
    }
  }

  #end(spawnError?: Error): ProcessEnd {
    return {
      exitCode: this.#child.exitCode,
      signal: this.#child.signalCode,
      stderr: this.#stderrTail.toString('utf8'),
      spawnError,
    }
  }
}

function delay(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms))
}
