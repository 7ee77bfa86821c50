import type { AgentEventDraft } from './event-drafts.ts'
import type { StreamSource } from './events.ts'
import type { Outcome } from './outcome.ts'
import type { QuotaWindow } from './quota.ts'
import type { RunOptions } from './run-options.ts'

/**
 * The turn has failed. `event` is the terminal event to show; `outcome` the verdict it supports. `transient`
 * failures may be retried by policy; `endNow` means the agent would go on by itself forever, so end it.
 */
export interface TurnFailure {
  event: AgentEventDraft
  outcome: Outcome
  transient?: boolean
  endNow?: boolean
}

/**
 * A file that the agent itself keeps, wanted by its dialogue, never by the agent: below the directory that the variable
 * names, else below `home` in the user's home. In `path` a `*` stands for what is not known of a name; of several files the
 * newest one is meant.
 */
export interface OwnFileRequest {
  type: 'read_own_file'
  variable: string
  home: string
  path: string
  /** For a database: what it is asked. Its rows are the text, one JSON record a line. */
  query?: { sql: string; values: readonly string[] }
  /** For a file that is still being written. */
  waitMs?: number
}

/**
 * Something that the agent asks its host to do. The dialogue has seen to it that somebody allows it; the engine does it
 * inside the workspace only. A terminal is named by the dialogue, so that a replay gives the same names.
 */
export type HostRequest =
  | { type: 'read_text_file'; path: string; line?: number; limit?: number }
  | { type: 'write_text_file'; path: string; content: string }
  | OwnFileRequest
  | {
      type: 'terminal_create'
      terminalId: string
      command: string
      args: string[]
      env: Record<string, string>
      cwd?: string
      outputByteLimit?: number
    }
  | { type: 'terminal_output' | 'terminal_wait' | 'terminal_kill' | 'terminal_release'; terminalId: string }

export interface TerminalExit {
  exitCode: number | null
  signal: string | null
}

export type HostResult =
  | { type: 'done' }
  | { type: 'text'; content: string }
  | { type: 'output'; output: string; truncated: boolean; exit: TerminalExit | null }
  | { type: 'exit'; exit: TerminalExit }
  | { type: 'error'; reason: 'refused' | 'not_found' | 'failed'; message: string }

/** A request to the server that the agent is in this run. It must be on this machine. */
export interface HttpRequest {
  requestId: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  /** Sent as JSON. */
  body?: unknown
  /** The answer is a stream of events, each of which comes back by itself. */
  stream?: boolean
  /** Signs the request with this name and the secret that stands for `{secret}` in `SpawnArgs.env`. */
  user?: string
}

export type HttpResponse =
  /** `body` is text where it is not JSON. */
  | { status: number; body: unknown }
  /** The data of one event. */
  | { sse: string }
  | { error: string }

/** What a dialogue wants done: emit an event, write a line, fail the turn. */
export type Effect =
  /** `isLate`: read from a log, so that the model may be answering the next try by now. A retry withdraws nothing then. */
  | { emit: AgentEventDraft; isLate?: true }
  /** One line for the agent's stdin, without its newline. `afterUsage`: with a budget, once its requests are counted. */
  | { write: string; afterUsage?: true }
  | { closeStdin: true }
  | { fail: TurnFailure }
  /** A native record that maps to nothing; counted by this name. */
  | { unrecognized: string }
  /** The answer to `outputSchema`. */
  | { structuredOutput: unknown }
  /**
   * What the agent has kept as its answer. Where more was streamed before it, that came from requests that broke off
   * and were made again: it is withdrawn.
   */
  | { answer: string }
  /** The model that the agent says it uses. */
  | { model: string }
  /** What the agent reports about the user's plan. A window that was reported before is replaced. */
  | { quota: QuotaWindow[] }
  /** The result comes back through `onHost`. */
  | { host: { requestId: string; request: HostRequest } }
  /** The answer comes back through `onHttp`. */
  | { http: HttpRequest }
  /**
   * This may be its last record, although only the end of the process says so: when nothing follows within the exit
   * grace, the process is ended. False takes that back.
   */
  | { mayBeOver: boolean }
  /** It waits at a limit or for its server and may go on by itself: it is ended when nothing follows within the grace. */
  | { limited: { kind?: Waited; reason: string; retryAfterMs?: number | undefined } }
  /** The agent has nothing more to do and would stay forever: end it. */
  | { endProcess: true }

/** What an agent waits for. */
type Waited = 'rate_limit' | 'quota' | 'overloaded' | 'server' | 'network'

/** What a user or the engine says to a running agent. */
export type DialogueCommand =
  | { type: 'user_turn'; text: string }
  /** Into the running turn, where the protocol has that; else the next turn. */
  | { type: 'steer'; text: string }
  | { type: 'interrupt' }
  | { type: 'approve'; interactionId: string; detail?: string }
  | { type: 'deny'; interactionId: string; reason?: string }
  | { type: 'answer'; interactionId: string; text: string }
  | { type: 'set_model'; model: string }
  | { type: 'close' }

/** How the agent's process ended. */
export interface DialogueExit {
  exitCode: number | null
  signal: string | null
  /** The last 64 KiB of stderr. */
  stderr: string
}

/**
 * Talks one agent's wire protocol during one run. Pure: no I/O, no clock, no randomness, so a recording replayed
 * through it always gives the same events. Total: it never throws on input it does not know.
 */
export interface Dialogue {
  start(options: RunOptions): Effect[]
  onLine(line: string, source: StreamSource): Effect[]
  /** What a recording of both directions shows to have been written to the agent. */
  onWritten?(line: string): Effect[]
  /** An unsupported command gives null, which the caller sees as a CapabilityError. */
  onCommand(command: DialogueCommand): Effect[] | null
  onExit(exit: DialogueExit): Effect[]
  /** Usage that is known but was not emitted yet. Asked for when the run ends, however it ends. */
  unreportedUsage?(): Effect[]
  /** What became of a `host` effect. */
  onHost?(requestId: string, result: HostResult): Effect[]
  /** What became of an `http` effect; a stream answers again and again. */
  onHttp?(requestId: string, response: HttpResponse): Effect[]
  /** Whether turns that were sent have still to run. A run is not closed between two turns that were both sent. */
  busy?(): boolean
}

/** Creates the dialogue of one run. */
export type DialogueFactory = (options: RunOptions) => Dialogue
