import type { Fact } from './activity.ts'
import type { ErrorCode } from './errors.ts'
import type { AgentEvent } from './events.ts'
import type { LaunchHooks } from './hooks.ts'
import type { AgentName } from './names.ts'
import type { SecretOption } from './options.ts'
import type { QuotaStatus } from './quota.ts'
import type { DeliveryTime, InteractionResponse, PendingInteraction, RunResult, RunState } from './run-handle.ts'
import type { RunOptions } from './run-options.ts'

/**
 * A launch is one run of a managed session, owned by one runner process. All that is known of it is in its own
 * directory, `<data>/launches/<launchId>/` (0700), so that it survives the runner, the daemon and the agent.
 */
export const LAUNCH_FILES = {
  /** `LaunchSpec`. Written before the runner starts, and never again. */
  spec: 'launch.json',
  /** `RunnerInfo`. Replaced in one step. */
  runner: 'runner.json',
  /** What the run was given to interpret, one frame a line, written before it is interpreted. */
  native: 'native.ndjson',
  /** `LaunchRecord`, one a line, in order of `n`. Only ever grows; a last line without its newline is not there yet. */
  records: 'events.ndjson',
  /** `LaunchResult`. Its presence means that the launch has ended and its records are complete. */
  result: 'result.json',
  /** What a terminal launch has written to its terminal: the directory of the raw segments. */
  terminal: 'terminal',
  /** Values that are too large for a record. */
  blobs: 'blobs',
  /** What the runner itself has to complain about. */
  log: 'runner.log',
} as const

/** Options that may hold secrets. They reach the runner through a pipe and are never written to disk. */
export type LaunchSecrets = Pick<RunOptions, SecretOption>

/** The same with the environment of its runner. */
export interface KnownSecrets {
  secrets: LaunchSecrets
  env: NodeJS.ProcessEnv
}

/** What of the options of a run is data that may lie in a file. */
export type LaunchOptions = Omit<
  RunOptions,
  keyof LaunchSecrets | 'agent' | 'onInputRequired' | 'onApprovalRequest' | 'signal' | 'collectEvents' | 'invocation'
>

/** Options whose text holds a secret, as they were given. They go the same way. */
export type HiddenOptions = Partial<LaunchOptions>

/** Of a side of a terminal: every cell takes memory, and no screen is larger. */
export const MAX_TERMINAL_LENGTH = 1000

export interface TerminalSize {
  cols: number
  rows: number
}

export interface LaunchSpec {
  format: 1
  launchId: string
  /** The managed session, and which of its launches this is, counted from 1. */
  sessionId: string
  launch: number
  agent: AgentName
  createdAt: number
  /** `terminal`: the agent's own screen in a pseudo terminal; of the options it takes what `planLaunch` takes. */
  mode: 'headless' | 'terminal'
  options: LaunchOptions
  /** Which of the options are not whole here: the runner is given them. */
  hidden?: string[]
  terminal?: TerminalSize
  /** Its native log may not get longer than this: then the launch is ended. */
  maxLogBytes?: number
  /** For a headless launch only the variables by which installed hooks know the session: its stream reports the rest. */
  hooks?: Pick<LaunchHooks, 'args' | 'env' | 'onceFlag'>
}

/** One process, distinguished from a later one with the same pid, also after a restart of the machine. */
export interface ProcessMark {
  pid: number
  startTime: string
  bootId: string
}

export interface RunnerInfo {
  format: 1
  launchId: string
  runner: ProcessMark
  /** Null before the agent is started, and between two attempts. */
  agent: ProcessMark | null
  /** Of the control protocol. */
  socket: string
  startedAt: number
  /** Of this package. */
  version: string
  /** No runner has this launch, and none gets it: it was cancelled, or failed (`error`), before one had claimed it. */
  cancelled?: { error: LaunchResult['error'] }
}

/** Identifies the processes of a launch when its files do not. */
export interface LaunchMark {
  sessionId: string
  launch: number
  dataDir: string
}

/** An event as it is stored: `accumulated` is left out, and a value over the bound is cut and reported in `blobs`. */
export type StoredEvent = AgentEvent

/** A value that was too large: `path` leads to it within the event, `file` is below `blobs`. */
export interface BlobReference {
  path: (string | number)[]
  file: string
  bytes: number
}

/**
 * One line of `events.ndjson`: an event, a sign of the screen or the process, or what the agent reports about its plan. `n`
 * counts from 1 without a gap.
 */
export type LaunchRecord =
  | {
      n: number
      /** The line of the native log that it came of, by its number. */
      frame: number
      /** So many characters at the end of its text wait for the next piece: they could begin a secret. */
      held?: number
      /** Not of the run itself: text that was held back and no next piece came. */
      added?: boolean
      /** So many events of its frame are put together in it; left out when it is one. */
      events?: number
      event: StoredEvent
      blobs?: BlobReference[]
    }
  | { n: number; fact: Fact }
  | { n: number; quota: QuotaStatus }

export interface LaunchResult {
  format: 1
  launchId: string
  endedAt: number
  /**
   * `ended`: the runner saw the end of the run. `refused`: no run came about, see `error`. `lost`: the runner was gone
   * before the run had ended, and the end was added later.
   */
  how: 'ended' | 'refused' | 'lost'
  /** Without events. Null when no run came about, and for a terminal. */
  result: RunResult | null
  /** How the terminal's process ended; `lastWords` of its screen when nobody asked it to. */
  exit: { exitCode: number | null; signal: string | null; lastWords?: string } | null
  error: { code: ErrorCode; message: string; hint?: string } | null
  /** How many records there are. */
  records: number
}

export type RunnerState =
  | { state: 'never_started' }
  | { state: 'alive'; info: RunnerInfo }
  | { state: 'ended'; result: LaunchResult }
  /** The runner is gone without a result: `recoverEvents` makes one. `damage`: what is wrong with its files. */
  | { state: 'lost'; info: RunnerInfo; damage?: string }

// ── the control protocol: JSON lines on a local socket, requests to the runner, answers and notices back ───────────

/**
 * `key` makes a command one that is done once: it is logged before it is done, and the same key again gets the same
 * answer and does nothing, even from another connection.
 */
export type ControlCommand =
  | { command: 'send' | 'steer' | 'queue'; text: string; when?: DeliveryTime }
  | { command: 'approve'; interactionId?: string; detail?: string }
  | { command: 'deny'; interactionId?: string; reason?: string }
  | { command: 'respond'; interactionId: string; response: InteractionResponse }
  | { command: 'set_model'; model: string }
  | { command: 'interrupt' | 'pause' | 'resume' | 'abort' | 'close' | 'status' }
  /** Only for a terminal. `data` is text for its keyboard. */
  | { command: 'input'; data: string }
  | ({ command: 'resize' } & TerminalSize)
  /** Answers with the screen as it is; what comes after it follows as `output` notices on this connection. */
  | { command: 'subscribe' | 'unsubscribe' }
  /** The screen as text, for people and tests. */
  | { command: 'screen' }

export type ControlRequest = { id: number; key?: string } & ControlCommand

export interface RunnerStatus {
  state: RunState
  agent: ProcessMark | null
  pending: readonly PendingInteraction[]
  /** How far the records have come: the last `n`, and the length of the file. */
  records: number
  offset: number
  terminal?: TerminalSize & { viewers: number }
}

/** What a terminal shows, as text that brings an empty terminal of this size to the same state. */
export interface TerminalSnapshot extends TerminalSize {
  data: string
}

/** A screen as people see it: one string a line, without colours. */
export interface ScreenText {
  lines: string[]
  cursor: { x: number; y: number }
}

export type ControlResult = RunnerStatus | TerminalSnapshot | ScreenText | undefined

export type ControlAnswer =
  | { id: number; ok: true; result?: ControlResult }
  | { id: number; ok: false; error: { code: ErrorCode; message: string; hint?: string } }

export type ControlNotice =
  /** The records have grown. */
  | { notice: 'records'; records: number; offset: number }
  /** What the program has written to its terminal since. */
  | { notice: 'output'; data: string }
  | ({ notice: 'resized' } & TerminalSize)
  /** The result is on disk; the runner leaves. */
  | { notice: 'ended' }

// ── what src/runner offers ──────────────────────────────────────────────────────────────────────────────────────────

export interface RunnerConnection {
  /**
   * Rejects with an AgentMuxError when the runner refuses, with RUN_NOT_ACTIVE when the connection is gone, and with
   * TIMEOUT when the runner says nothing at all for some seconds.
   */
  request(command: ControlCommand, key?: string): Promise<ControlResult>
  onNotice(listener: (notice: ControlNotice) => void): void
  /** Resolves when the connection has ended, no matter who ended it. */
  readonly closed: Promise<void>
  close(): void
}

export interface RecordsPage {
  records: LaunchRecord[]
  /** `{"event":…}` of each record as it is in the file, to be passed on without serialising it again; empty for a fact. */
  bodies: string[]
  /** Where to go on reading: after the last whole line. */
  offset: number
}

export interface RunnerModule {
  /**
   * Makes the launch's directory and its spec, without the secrets that are in it. Fails when it exists. Returns the
   * options that are not whole there.
   */
  createLaunch(
    launchDir: string,
    spec: LaunchSpec,
    secrets?: LaunchSecrets,
    env?: NodeJS.ProcessEnv,
  ): Promise<HiddenOptions>
  /**
   * Starts the detached runner of a launch and resolves when it can be talked to or has ended. `env` is the whole
   * environment of the runner, of which the agent gets what it may see. Rejects when it ends, or stays silent for too
   * long, before it has claimed the launch; then no other runner can claim it either.
   */
  startRunner(
    launchDir: string,
    secrets: LaunchSecrets,
    env: NodeJS.ProcessEnv,
    hidden?: HiddenOptions,
  ): Promise<RunnerState>
  /**
   * Makes sure that no runner ever starts this launch. False: one has it already. `error`: why it failed; null when
   * that was wanted.
   */
  cancelLaunch(launchDir: string, error: LaunchResult['error']): Promise<boolean>
  /** Ends the runner, the agent and all that it started without asking; also those that are stopped. */
  endLaunch(launchDir: string, mark: LaunchMark): Promise<void>
  /** Rejects with RUN_NOT_ACTIVE when nobody listens. */
  connectRunner(launchDir: string): Promise<RunnerConnection>
  /** At most `maxBytes`, but always one whole record if there is one. */
  readRecords(launchDir: string, offset: number, maxBytes?: number): Promise<RecordsPage>
  runnerState(launchDir: string): Promise<RunnerState>
  /**
   * For a runner that is lost: ends what is left of its agent, adds the records that are missing and the ending, and
   * writes the result. Does nothing when there is a result. Safe to be called again, and by two at once. `known`: what
   * the launch was given, as far as it is known, because what its agent said may hold secrets of it.
   */
  recoverEvents(launchDir: string, known?: KnownSecrets): Promise<LaunchResult>
}
