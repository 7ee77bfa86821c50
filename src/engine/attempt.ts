import { homedir } from 'node:os'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { Dialogue, HostRequest, HostResult, HttpRequest } from '../contract/dialogue.ts'
import { RUN_DEFAULTS } from '../contract/run-defaults.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import { placeOf } from '../core/agent-paths.ts'
import { agentEnvironment } from '../process/environment.ts'
import type { Place } from '../process/place.ts'
import { AgentProcess, type ProcessEnd, type ProcessListener } from './agent-process.ts'
import type { HostServices } from './host-services.ts'
import type { ExchangeListener, HttpExchange } from './http-exchange.ts'
import { LogTail } from './log-tail.ts'
import { InactivityTimer } from './timers.ts'

/** After its input is closed, an agent that has nothing left to do gets this long to leave by itself. */
const LEAVE_MS = 3000

export interface AttemptRequest {
  runId: string
  adapter: AgentAdapter
  args: SpawnArgs
  options: RunOptions
  processEnv: Readonly<Record<string, string | undefined>>
  dialogue: Dialogue
  place: Place
}

export interface AttemptListener extends ProcessListener, ExchangeListener {
  /** What the agent calls its session, as soon as that is known. */
  readonly sessionId: string | null
  /** Whether silence is our own doing just now. */
  isWaitingOnPurpose(): boolean
  onInactive(wasHeard: boolean): void
}

/** One try at running the agent: its process, the dialogue with it, and the clocks that watch over both. */
export class Attempt {
  readonly dialogue: Dialogue
  readonly closed: Promise<ProcessEnd>
  readonly #process: AgentProcess
  readonly #inactivity: InactivityTimer
  readonly #graceMs: number
  readonly #request: AttemptRequest
  readonly #listener: AttemptListener
  #host: Promise<HostServices> | null = null
  #http: Promise<HttpExchange> | null = null
  #leaving: NodeJS.Timeout | null = null

  /** Rejects when no process could be made. */
  static async start(request: AttemptRequest, listener: AttemptListener): Promise<Attempt> {
    const { runId, adapter, args, options, processEnv } = request
    const env = agentEnvironment({
      processEnv,
      passEnv: [...(adapter.manifest?.passEnv ?? []), ...(options.passEnv ?? [])],
      set: [args.env, options.env ?? {}],
      joined: { names: adapter.manifest?.joinEnv ?? [], own: args.env },
      runId,
    })
    const settleCopy = await openWorkingCopy(args)
    const log = await openLog(request, env, listener)
    const settle = async () => {
      await log?.close()
      await settleCopy()
    }
    try {
      const process = await AgentProcess.start(request.place, args, env, runId, listener)
      log?.follow(process.fill)
      return new Attempt(process, request, listener, settle)
    } catch (error) {
      await settle()
      throw error
    }
  }

  private constructor(
    process: AgentProcess,
    request: AttemptRequest,
    listener: AttemptListener,
    settle: () => Promise<void>,
  ) {
    const { adapter, args, options, dialogue } = request
    this.#request = request
    this.#listener = listener
    this.dialogue = dialogue
    this.#process = process
    this.#graceMs = options.gracePeriodMs ?? RUN_DEFAULTS.gracePeriodMs
    const streams = adapter.capabilities.supportsTextStreaming
    this.#inactivity = new InactivityTimer(
      {
        firstMs: options.firstEventTimeout ?? (streams ? RUN_DEFAULTS.firstEventTimeout : 0),
        laterMs: options.inactivityTimeout ?? args.inactivityTimeout ?? 0,
      },
      () => listener.isWaitingOnPurpose(),
      (wasHeard) => listener.onInactive(wasHeard),
    )
    this.closed = process.closed.finally(async () => {
      this.#inactivity.stop()
      this.stay()
      const http = await this.#http
      http?.close()
      await (await this.#host)?.close()
      await settle()
    })
    if (args.stdin !== undefined) process.write(args.stdin)
    if (args.closeStdinAfterSpawn ?? args.stdin !== undefined) process.closeStdin()
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Puts paths in place of `{file:<name>}`. */
  fill(text: string): string {
    return this.#process.fill(text)
  }

  get canWrite(): boolean {
    return this.#process.canWrite
  }

  get isBusy(): boolean {
    return this.dialogue.busy?.() ?? false
  }

  write(line: string): void {
    this.#process.write(`${line}\n`)
  }

  closeStdin(): void {
    this.#process.closeStdin()
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.signal(signal)
  }

  resumeReading(): void {
    this.#process.resumeReading()
    void this.#http?.then((http) => http.resumeReading())
  }

  /** What the agent asks of its host. Few agents do, so the code for it is loaded when the first one does. */
  async perform(request: HostRequest): Promise<HostResult> {
    this.#host ??= import('./host-services.ts').then(({ HostServices }) => new HostServices(this.#request))
    return (await this.#host).perform(request)
  }

  /** A request to the agent itself, where it is a server. The answers go to the listener. */
  async exchange(request: HttpRequest): Promise<void> {
    this.#http ??= import('./http-exchange.ts').then(
      ({ HttpExchange }) => new HttpExchange(this.#listener, this.#process.secret),
    )
    await (await this.#http).send(request)
  }

  /** The agent is alive: restarts the inactivity timeout. */
  touch(): void {
    this.#inactivity.touch()
  }

  /** `atMostMs`: for a process that must not go on for as long as it likes to take. */
  end(atMostMs = this.#graceMs): Promise<void> {
    return this.#process.end(Math.min(atMostMs, this.#graceMs))
  }

  /** Gives the agent a moment to leave by itself before it is made to. */
  leave(): void {
    this.#leaving ??= setTimeout(() => void this.end(), LEAVE_MS)
  }

  /** Ends the agent if it is still here after this long; `onForced` comes first. */
  linger(ms: number, onForced: () => void): void {
    this.stay()
    this.#leaving = setTimeout(() => {
      onForced()
      void this.end()
    }, ms)
  }

  /** Takes `leave` and `linger` back. */
  stay(): void {
    if (this.#leaving) clearTimeout(this.#leaving)
    this.#leaving = null
  }
}

/** The log that the agent keeps, as it is before the agent starts. */
async function openLog(
  { adapter, args, options }: AttemptRequest,
  env: Readonly<Record<string, string>>,
  listener: AttemptListener,
): Promise<LogTail | null> {
  if (!args.logFile) return null
  const host = { env, homeDir: env.HOME ?? homedir() }
  const log = new LogTail(args.logFile, {
    path: (path) => placeOf(path, adapter.manifest?.directories, host),
    sessionId: () => listener.sessionId ?? options.sessionId ?? options.newSessionId ?? null,
    onLines: (lines) => listener.onLines(lines, 'stderr'),
  })
  await log.skip()
  return log
}

/** Gives the agent the copy that it is to work on. Resolves to what has to be done when it is gone. */
async function openWorkingCopy({ workingCopy }: SpawnArgs): Promise<() => Promise<void>> {
  if (!workingCopy) return async () => {}
  const files = await import('../files/working-copy.ts')
  return files.openWorkingCopy(workingCopy)
}
