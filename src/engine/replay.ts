import type { AgentAdapter } from '../contract/adapter.ts'
import type { DialogueExit } from '../contract/dialogue.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { wasStopped } from '../core/exit.ts'
import { parseRecord } from '../core/json.ts'
import { LineSplitter } from '../core/lines.ts'
import { openEnvelope } from './envelope.ts'
import type { Verdict } from './outcome.ts'
import { Rederivation } from './rederive.ts'
import type { RunClosing, RunInput } from './run-input.ts'

export interface Recording {
  stdout: Buffer
  stderr?: Buffer
  exitCode?: number | null
  signal?: string | null
}

export interface ReplayOptions {
  runId: string
  now: () => number
  /** As far as they are known; `agent` is the adapter's own. */
  options?: Partial<RunOptions>
  /** Attempts that failed before this one, each of which was retried by policy. */
  earlier?: readonly Recording[]
}

const STDERR_TAIL_BYTES = 64 * 1024

const NONE = Buffer.alloc(0)

function exitOf({ exitCode, signal = null, stderr = NONE }: Recording): DialogueExit {
  const tail = stderr.subarray(-STDERR_TAIL_BYTES).toString('utf8')
  return { exitCode: exitCode ?? (signal ? null : 0), signal, stderr: tail }
}

function linesOf(bytes: Buffer): string[] {
  const splitter = new LineSplitter()
  const lines = splitter.push(bytes)
  const rest = splitter.flush()
  return rest === null ? lines : [...lines, rest]
}

/** How recorders begin a line; what agents print is parsed once only, by their dialogue. */
const ENVELOPE = /^\{"(?:t|ms|dir)":/

/** The agent's line that is in a line of a recording, or the one that was written to it. Null: neither. */
function recorded(line: string): { line: string; from: 'agent' | 'client' } | null {
  const envelope = ENVELOPE.test(line) ? openEnvelope(parseRecord(line) ?? {}) : null
  if (envelope === null) return { line, from: 'agent' }
  const { from, message } = envelope
  return from === 'recorder' ? null : { line: JSON.stringify(message), from }
}

/**
 * Interprets the recorded output of an agent exactly as a live run would. The two streams were recorded apart, so their
 * order is not known: stderr goes before the last line of stdout, which ends the turn in nearly every recording. Where
 * more lines follow, what stderr says would begin another turn: then it goes before the line that ended the last
 * one.
 */
export function replay(
  adapter: AgentAdapter,
  recording: Recording,
  options: ReplayOptions,
): { events: AgentEvent[]; result: RunResult } {
  const { tooLateBy, ...reported } = interpret(adapter, recording, options)
  if (tooLateBy === 0) return reported
  const { events, result } = interpret(adapter, recording, options, tooLateBy)
  return { events, result }
}

/** Gives a recording to the run machine, and adds the inputs that a recording does not hold. */
class RecordedRun {
  readonly events: AgentEvent[] = []
  turnIsOpen = false
  /** As far as the events have come; the totals may be ahead of them. */
  turnCount = 0
  readonly #rederivation: Rederivation
  readonly #now: () => number
  readonly #openQuestions = new Map<string, string>()
  readonly #openApprovals = new Map<string, string>()
  #n = 0

  constructor(adapter: AgentAdapter, { runId, now, options, earlier = [] }: ReplayOptions) {
    const retryPolicy = earlier.length > 0 ? {} : undefined
    this.#now = now
    this.#rederivation = new Rederivation({
      ...{ runId, adapter, judgesAgain: true, timeIsKnown: false },
      options: { prompt: '', nonInteractive: true, retryPolicy, ...options, agent: adapter.agent },
      onEvent: (event) => this.#note(event),
    })
    this.#take({ kind: 'start', stdinIsOpen: false, isRecorded: true })
    earlier.forEach((failed, index) => {
      for (const line of linesOf(failed.stdout)) this.stdout(line)
      for (const line of linesOf(failed.stderr ?? NONE)) this.stderr(line)
      const { verdict } = this.#exit(exitOf(failed))
      this.#forgetOpen()
      this.turnCount = 0
      const reason = verdict.error?.message ?? verdict.outcome.kind
      this.#take({ kind: 'retry', attempt: index + 1, maxAttempts: earlier.length, reason, delayMs: 0 })
      this.#take({ kind: 'start', stdinIsOpen: false, isRecorded: true })
    })
  }

  stdout(text: string): void {
    const said = recorded(text)
    if (said?.from === 'agent') this.#take({ kind: 'line', source: 'stdout', line: said.line })
    else if (said !== null) this.#take({ kind: 'written', line: said.line })
  }

  stderr(line: string): void {
    this.#take({ kind: 'line', source: 'stderr', line })
  }

  end(exit: DialogueExit): RunResult | null {
    const durationMs = this.#now() - (this.events[0]?.timestamp ?? this.#now())
    this.#take({ kind: 'finish', ...this.#exit(exit), durationMs })
    return this.#rederivation.result()
  }

  #exit(exit: DialogueExit): { closing: RunClosing; verdict: Verdict } {
    const { ending, totals } = this.#rederivation
    // Somebody who stops an agent that has done its turn does not take the turn back.
    const endedByUs = !this.turnIsOpen && this.turnCount > 0 && wasStopped(exit)
    this.#take({ kind: 'exit', exit })
    const open = { openQuestions: [...this.#openQuestions.values()], openApprovals: [...this.#openApprovals.values()] }
    const closing = { ...ending.lostClosing(exit, open), endedByUs }
    return { closing, verdict: ending.judge(closing, totals) }
  }

  #take(input: RunInput): void {
    this.#n += 1
    this.#rederivation.take([{ n: this.#n, time: this.#now(), input }], [])
  }

  #note(event: AgentEvent): void {
    this.events.push(event)
    if (event.type === 'turn_start') {
      this.turnIsOpen = true
      // Another turn: somebody has sent another prompt.
      if (this.turnCount > 0) this.#rederivation.ending.newTurn()
    }
    if (event.type === 'turn_end') {
      this.turnIsOpen = false
      this.turnCount += 1
      // What was asked was answered if the turn went on to its end.
      this.#forgetOpen()
    }
    if (event.type === 'input_required') this.#openQuestions.set(event.interactionId, event.question)
    if (event.type === 'approval_request') {
      this.#openApprovals.set(event.interactionId, event.toolName ?? event.action)
    }
    if (event.type === 'approval_denied' || event.type === 'approval_granted') {
      this.#openApprovals.delete(event.interactionId)
    }
  }

  #forgetOpen(): void {
    this.#openQuestions.clear()
    this.#openApprovals.clear()
  }
}

/** `back`: how many lines of stdout earlier stderr is. `tooLateBy`: how many lines too late it was. */
function interpret(adapter: AgentAdapter, recording: Recording, options: ReplayOptions, back = 0) {
  const run = new RecordedRun(adapter, options)
  const stdout = linesOf(recording.stdout)
  const last = Math.max(0, stdout.findLastIndex((line) => line.trim() !== '') - back)
  let endedAt = last
  stdout.slice(0, last).forEach((line, index) => {
    const wasOpen = run.turnIsOpen
    run.stdout(line)
    if (wasOpen && !run.turnIsOpen) endedAt = index
  })
  const wasOver = run.turnCount > 0 && !run.turnIsOpen
  for (const line of linesOf(recording.stderr ?? NONE)) run.stderr(line)
  const tooLateBy = wasOver && run.turnIsOpen ? last - endedAt : 0
  for (const line of stdout.slice(last)) run.stdout(line)
  const result = run.end(exitOf(recording))
  if (!result) throw new Error('A recording that has ended has a result')
  return { events: run.events, result, tooLateBy }
}
