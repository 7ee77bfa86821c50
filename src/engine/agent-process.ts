import type { StreamSource } from '../contract/events.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import { LineSplitter } from '../core/lines.ts'
import { within } from '../core/within.ts'
import { Guard, isGuarded } from '../process/guard.ts'
import type { Place, PlaceChild } from '../process/place.ts'
import { ProcessTree } from '../process/process-tree.ts'
import { type SpawnedAgent, spawnAgent } from '../process/spawn-agent.ts'

export interface ProcessEnd {
  exitCode: number | null
  signal: string | null
  stderr: string
  spawnError?: Error
}

export interface ProcessListener {
  /** The lines that one chunk completes; there may be none. */
  onLines(lines: string[], source: StreamSource): void
  onOversizedLine(bytes: number, source: StreamSource): void
  /** After each chunk: true stops reading until `resumeReading`. */
  mustWait(): boolean
  /** It has ended, and the files of its run are about to be removed. */
  onGone?(): Promise<void>
}

const STDERR_TAIL_BYTES = 64 * 1024
/** How long the pipes may stay open after the agent itself has exited. */
const DRAIN_MS = 300
/** How long strays get between TERM and KILL once their agent is gone. */
const STRAY_GRACE_MS = 300
/** After everything is dead, how long a pipe that neither gives anything nor ends is waited for. */
const LAST_RESORT_MS = 500
const MAX_ROUNDS = 4

/** One agent process: its pipes as lines with backpressure, all it starts as one thing to end, its end as one promise. */
export class AgentProcess {
  readonly closed: Promise<ProcessEnd>
  /** What `{secret}` stands for in this process. */
  readonly secret: string
  /** Puts paths in place of `{file:<name>}`. */
  readonly fill: (text: string) => string
  readonly #child: PlaceChild
  readonly #tree: ProcessTree | null
  readonly #listener: ProcessListener
  readonly #splitters: Record<StreamSource, LineSplitter>
  #stderrTail = Buffer.alloc(0)
  #bytesRead = 0
  #stdinEnded = false
  #isWaiting = false
  #hasExited = false
  /** Nobody is left to write, so what is still in the pipes is little and is read without waiting for anyone. */
  #isFlushing = false
  #ending: Promise<void> | null = null

  /** Rejects when there is no process to speak of, as when the arguments are too long. */
  static async start(
    place: Place,
    args: SpawnArgs,
    env: Record<string, string>,
    runId: string,
    listener: ProcessListener,
  ): Promise<AgentProcess> {
    // Before the agent: what is killed in between must not leave one behind. A runner has a guard of its own.
    const guard = isGuarded(runId) ? null : new Guard(runId)
    try {
      return new AgentProcess(await spawnAgent(place, args, env, runId), runId, listener, guard)
    } catch (error) {
      guard?.done()
      throw error
    }
  }

  private constructor(
    { child, secret, fill, cleanUp }: SpawnedAgent,
    runId: string,
    listener: ProcessListener,
    guard: Guard | null,
  ) {
    this.secret = secret
    this.fill = fill
    this.#child = child
    this.#tree = child.pid === undefined ? null : new ProcessTree(child.pid, runId)
    this.#listener = listener
    this.#splitters = { stdout: this.#read('stdout'), stderr: this.#read('stderr') }
    // A write to an agent that has just died must not throw from nowhere: its end is reported by `closed`.
    child.stdin.on('error', () => {})
    if (child.pid !== undefined) guard?.watch(child.pid)
    this.closed = this.#untilClosed().finally(async () => {
      guard?.done()
      await listener.onGone?.()
      await cleanUp().catch(() => undefined)
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get canWrite(): boolean {
    return !this.#stdinEnded && !this.#hasExited && this.#child.stdin.writable
  }

  write(text: string): void {
    if (this.canWrite) this.#child.stdin.write(text)
  }

  closeStdin(): void {
    this.#stdinEnded = true
    this.#child.stdin.end()
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.#hasExited) this.#tree?.signalGroup(signal)
  }

  /** TERM, grace, KILL, to everything the run has started. */
  end(graceMs: number): Promise<void> {
    this.#ending ??= this.#tree?.end(graceMs) ?? Promise.resolve()
    return this.#ending
  }

  resumeReading(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#child.stdout.resume()
    this.#child.stderr.resume()
  }

  #read(source: StreamSource): LineSplitter {
    const onOversized = (bytes: number) => this.#listener.onOversizedLine(bytes, source)
    const splitter = new LineSplitter({ onOversized })
    const stream = this.#child[source]
    stream.on('data', (chunk: Buffer) => {
      this.#bytesRead += chunk.length
      if (source === 'stderr') this.#stderrTail = Buffer.concat([this.#stderrTail, chunk]).subarray(-STDERR_TAIL_BYTES)
      this.#tree?.look()
      this.#listener.onLines(splitter.push(chunk), source)
      if (!this.#isFlushing && this.#listener.mustWait()) this.#wait()
    })
    stream.on('end', () => this.#flush(source))
    stream.on('error', () => {}) // the end of the run is reported by `closed`
    return splitter
  }

  #flush(source: StreamSource): void {
    const rest = this.#splitters[source].flush()
    if (rest !== null) this.#listener.onLines([rest], source)
  }

  #wait(): void {
    this.#isWaiting = true
    this.#child.stdout.pause()
    this.#child.stderr.pause()
  }

  async #untilClosed(): Promise<ProcessEnd> {
    const child = this.#child
    const closed = new Promise<true>((resolve) => child.once('close', () => resolve(true)))
    const spawnError = await new Promise<Error | null>((resolve) => {
      child.on('error', resolve)
      child.once('exit', () => resolve(null))
    })
    this.#hasExited = true
    this.#tree?.stopWatching()
    if (spawnError && child.pid === undefined) return { exitCode: null, signal: null, stderr: '', spawnError }
    // A descendant that holds the pipe must not hold the run: it is ended once the agent itself is gone.
    const isDrained = await within(DRAIN_MS, closed)
    await this.#ending
    await this.#tree?.end(STRAY_GRACE_MS, !isDrained)
    if (!isDrained) await this.#readRest(closed)
    return { exitCode: child.exitCode, signal: child.signalCode, stderr: this.#stderrTail.toString('utf8') }
  }

  /** Reads what is left in the pipes; gives up only on one that nobody we can find will ever close. */
  async #readRest(closed: Promise<true>): Promise<void> {
    this.#isFlushing = true
    this.resumeReading()
    for (let before = -1, round = 0; before !== this.#bytesRead && round < MAX_ROUNDS; round++) {
      before = this.#bytesRead
      if (await within(LAST_RESORT_MS, closed)) return
    }
    for (const source of ['stdout', 'stderr'] as const) {
      this.#child[source].destroy()
      this.#flush(source)
    }
  }
}
