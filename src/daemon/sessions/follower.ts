import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises'
import { AgentMuxError } from '../../contract/errors.ts'
import type {
  ControlCommand,
  ControlResult,
  LaunchResult,
  RecordsPage,
  RunnerConnection,
  RunnerModule,
} from '../../contract/launch.ts'
import { DamagedFile } from '../../files/read-own-file.ts'
import { isStorageTrouble } from '../storage-trouble.ts'

export interface FollowerPort {
  launchDir: string
  runner: Pick<RunnerModule, 'connectRunner' | 'readRecords' | 'runnerState'>
  /** Brings a launch to its end whose runner is lost, or whose files are gone. */
  recover(): Promise<LaunchResult>
  /** Ends a launch that can no longer be followed, because what it has written is damaged. */
  abandon(why: string): Promise<LaunchResult>
  /** Where to go on, in the file of records. */
  position: number
  /** Takes in what is new, in one step; when it throws, the same page comes again. */
  take(page: RecordsPage): void
  /** Once, after the last page. */
  ended(result: LaunchResult): void
  /** Something failed and will be tried again. */
  trouble(error: unknown, doing: string): void
}

const FIRST_PAUSE_MS = 50
const LAST_PAUSE_MS = 5000
/** What is asked of an agent that is just starting waits so long for it. */
const REACHED_MS = 10_000
const REACHED_LOOK_MS = 20
/** A page that fails so often, and not for want of room, will always fail. */
const MAX_FAILURES = 6
/** What an agent says waits no longer than this for the message that it answers. */
const HELD_MS = 1000

const HEARD = [() => true, () => false] as const

/**
 * Follows one launch until it has ended, however often the runner, the disk or the connection fail: what counts is in
 * the launch's directory, and our own place in it moves only together with what was taken in.
 */
export class Follower {
  readonly #port: FollowerPort
  readonly #stopped = new AbortController()
  #connection: RunnerConnection | null = null
  #position: number
  #reading: Promise<void> | null = null
  #isReading = false
  #hasMore = false
  #pauseMs = FIRST_PAUSE_MS
  #hasEnded = false
  /** Why nothing more of it can be read. */
  #damage: string | null = null
  #failures = 0
  /** Requests that are to be noted before what comes of them. */
  #holds = 0

  constructor(port: FollowerPort) {
    this.#port = port
    this.#position = port.position
  }

  /** Resolves when the launch has ended and all of it was taken in, or when `stop` was called. */
  async follow(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const result = await this.#untilEnded()
        if (result !== null && !this.#isStopped) {
          while (await this.#takePage()) this.#pauseMs = FIRST_PAUSE_MS
          this.#hasEnded = true
          this.#port.ended(result)
          return
        }
      } catch (error) {
        if (!this.#isStopped) this.#port.trouble(error, 'following a launch')
      }
      if (this.#damage !== null && (await this.#abandon(this.#damage))) return
      await this.#pause()
    }
  }

  /** True when its end is on record. */
  async #abandon(why: string): Promise<boolean> {
    try {
      const result = await this.#port.abandon(why)
      if (this.#isStopped) return true
      this.#hasEnded = true
      this.#port.ended(result)
      return true
    } catch (error) {
      this.#port.trouble(error, 'ending a damaged launch')
      return false
    }
  }

  /** `accepted` notes the request when the runner has taken it: a quick agent would have answered before. */
  async request(command: ControlCommand, key?: string, accepted?: () => void): Promise<ControlResult> {
    const isGone = () => this.#hasEnded || this.#isStopped
    for (const deadline = Date.now() + REACHED_MS; !isGone(); await sleep(REACHED_LOOK_MS)) {
      if (this.#connection) return this.#noted(this.#connection.request(command, key), accepted)
      if (Date.now() > deadline) break
    }
    throw new AgentMuxError('RUN_NOT_ACTIVE', 'The agent cannot be talked to at the moment', {
      recoverable: true,
      hint: '`amux ls` tells how it is; try again in a moment.',
    })
  }

  async #noted(result: Promise<ControlResult>, accepted: (() => void) | undefined): Promise<ControlResult> {
    if (!accepted) return result
    let isHeld = true
    this.#holds += 1
    const release = () => {
      if (!isHeld) return
      isHeld = false
      this.#holds -= 1
      this.#read()
    }
    const timer = setTimeout(release, HELD_MS)
    try {
      const answer = await result
      accepted()
      return answer
    } finally {
      clearTimeout(timer)
      release()
    }
  }

  /** Asks for the end of the launch. False when it cannot be asked within this time. */
  async abort(patienceMs: number): Promise<boolean> {
    const connection = this.#connection
    if (connection === null) return false
    const late = sleep(patienceMs, false, { ref: false })
    const asked = connection.request({ command: 'abort' }).catch(() => undefined)
    // An abort is answered when the agent is gone; the next answer shows whether it was received.
    const heard = connection.request({ command: 'status' }).then(...HEARD)
    return Promise.race([asked.then(() => true), heard, late])
  }

  /** Leaves the agent alone. */
  stop(): void {
    this.#stopped.abort()
    this.#connection?.close()
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted
  }

  /** Null: not yet, look again. */
  async #untilEnded(): Promise<LaunchResult | null> {
    const { runner, launchDir } = this.#port
    const found = await runner.runnerState(launchDir)
    if (found.state === 'ended') return found.result
    if (found.state !== 'alive') return this.#port.recover()
    const connection = await runner.connectRunner(launchDir).catch(async (error: unknown) => {
      // Its socket may be gone, but what it writes is still to be read.
      this.#read()
      await this.#reading
      throw error
    })
    this.#connection = connection
    this.#pauseMs = FIRST_PAUSE_MS
    connection.onNotice(({ notice }) => {
      if (notice === 'records') this.#read()
    })
    this.#read() // what was written before we came
    if (this.#isStopped || this.#damage !== null) connection.close()
    await connection.closed
    this.#connection = null
    await this.#reading
    return null
  }

  /** Reads until there is nothing more; never twice at a time. */
  #read(): void {
    this.#hasMore = true
    if (this.#isReading) return
    this.#isReading = true
    this.#reading = this.#readWhileMore()
  }

  async #readWhileMore(): Promise<void> {
    for (;;) {
      // In one step with the last look: a notice that comes after it has to find nobody reading.
      this.#isReading = this.#hasMore && !this.#isStopped
      if (!this.#isReading) return
      this.#hasMore = false
      try {
        while (await this.#takePage()) this.#pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        this.#port.trouble(error, 'taking in records')
        if (this.#damage !== null) {
          this.#isReading = false
          this.#connection?.close()
          return
        }
        this.#hasMore = true
        await this.#pause()
      }
    }
  }

  /** False when there is nothing more. */
  async #takePage(): Promise<boolean> {
    try {
      const isMore = await this.#takeNextPage()
      this.#failures = 0
      return isMore
    } catch (error) {
      this.#failures += isStorageTrouble(error) ? 0 : 1
      const isHopeless = error instanceof DamagedFile || this.#failures >= MAX_FAILURES
      if (isHopeless) this.#damage ??= error instanceof Error ? error.message : String(error)
      throw error
    }
  }

  async #takeNextPage(): Promise<boolean> {
    const page = await this.#port.runner.readRecords(this.#port.launchDir, this.#position)
    // Without a connection nobody is asked, and nothing has to wait.
    const isHeld = this.#holds > 0 && this.#connection !== null
    if (page.records.length === 0 || this.#isStopped || isHeld) return false
    this.#port.take(page)
    this.#position = page.offset
    await othersFirst() // reading does not wait for the disk: an agent that floods us would be all that we hear
    return true
  }

  async #pause(): Promise<void> {
    const { signal } = this.#stopped
    await sleep(this.#pauseMs, undefined, { signal }).catch(() => undefined)
    this.#pauseMs = Math.min(this.#pauseMs * 2, LAST_PAUSE_MS)
  }
}
