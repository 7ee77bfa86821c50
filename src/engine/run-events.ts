import type { AgentAdapter } from '../contract/adapter.ts'
import type {
  Dialogue,
  DialogueCommand,
  Effect,
  HostRequest,
  HttpRequest,
  HttpResponse,
  TurnFailure,
} from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent, StreamSource } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { QuotaStatus } from '../contract/quota.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { failTurn } from '../core/failures.ts'
import { timeoutNote } from './adapter-hooks.ts'
import type { Attempt, AttemptListener } from './attempt.ts'
import { Conversation } from './conversation.ts'
import type { EventHub } from './event-hub.ts'
import type { Interactions } from './interactions.ts'
import { type CommandNotes, Interpreter, type InterpreterHandler } from './interpreter.ts'
import { LimitWatch, limitFailure } from './limit-watch.ts'
import { errorCodeOfOutcome, type StopReason } from './outcome.ts'
import { OutputCheck, type OutputCheckPort } from './output-check.ts'
import { Responder } from './responder.ts'
import type { Reaction, RunEnding } from './run-ending.ts'
import type { RunTap } from './run-input.ts'
import { Spending, type SpendingPort } from './spending.ts'
import { calmDown, windDown } from './wind-down.ts'

/** What the events need of their run. */
export interface RunPort {
  readonly adapter: AgentAdapter | null
  readonly attempt: Attempt | null
  endAs(reason: StopReason, effects?: readonly Effect[]): Promise<void>
}

export interface RunIdentity {
  runId: string
  agent: AgentName
  options: RunOptions
  tap?: RunTap
  /** Nobody can be asked: what a policy leaves open is denied. */
  isUnattended?: boolean
  /** Somebody else applies the policy. */
  policyIsElsewhere?: boolean
}

/** What the caller holds of a run from the first moment, before the engine is loaded. */
export interface RunFace {
  hub: EventHub
  interactions: Interactions
  /** Ends the run. */
  abort: AbortSignal
}

/**
 * The way from what the agent's process writes to what readers and listeners see, and everything that hangs on it:
 * turns, approvals, limits, backpressure. Decides when a run has to end, but not how it has ended.
 */
export class RunEvents implements InterpreterHandler, AttemptListener {
  readonly hub: EventHub
  readonly interpreter: Interpreter
  readonly conversation: Conversation
  readonly responder: Responder
  readonly spending: Spending
  readonly output: OutputCheck
  readonly #identity: RunIdentity
  readonly #run: RunPort
  readonly #limitWatch: LimitWatch
  readonly #afterLine = () => this.responder.settle()

  constructor(identity: RunIdentity, { hub, interactions }: RunFace, run: RunPort) {
    const { agent, options } = identity
    this.#identity = identity
    this.#run = run
    this.hub = hub
    this.interpreter = new Interpreter(identity, this)
    const emit = (draft: AgentEventDraft) => this.interpreter.emit(draft)
    this.conversation = new Conversation(agent, options, {
      ending: this.ending,
      emit,
      command: (command, notes) => this.command(command, notes),
      newTurn: () => this.output.newPrompt(),
      stopWaiting: () => void run.endAs('interrupted'),
      caughtUp: async () => {
        await this.output.done()
        await this.hub.caughtUp()
      },
    })
    this.responder = new Responder(identity, interactions, {
      emit,
      answer: (command, event) => this.conversation.answer(command, event),
    })
    this.#limitWatch = new LimitWatch(options, () => {
      const { retrying } = this.totals
      if (retrying && run.attempt) void run.endAs('limit', limitFailure(retrying))
    })
    this.spending = new Spending(options, this.interpreter, this.#spendingPort(emit))
    this.output = new OutputCheck(this.interpreter, this.#outputPort())
  }

  get translator() {
    return this.interpreter.translator
  }

  get ending(): RunEnding {
    return this.interpreter.ending
  }

  get sessionId() {
    return this.totals.sessionId
  }

  get totals() {
    return this.translator.normaliser.totals
  }

  start(dialogue: Dialogue, options: RunOptions, stdinIsOpen: boolean): void {
    this.output.reset()
    this.interpreter.start(dialogue, options, { stdinIsOpen })
    this.responder.settle()
  }

  /** The process is gone. */
  detached(): void {
    this.#limitWatch.stop()
    this.conversation.detach()
  }

  command(command: DialogueCommand, notes: CommandNotes): boolean {
    const isKnown = this.interpreter.command(command, notes)
    this.responder.settle()
    return isKnown
  }

  take(input: Parameters<Interpreter['take']>[0]): void {
    this.interpreter.take(input)
    this.responder.settle()
  }

  warn(message: string | null): void {
    if (message !== null) this.interpreter.emit({ type: 'debug', level: 'warn', message })
  }

  /** The last that is said about a run; after it comes its terminal event. */
  closingRemarks(): void {
    const unsent = this.conversation.unsentPrompts
    if (unsent > 0) this.warn(`${unsent} queued prompts were never sent: the run ended first`)
    this.spending.warnOfUnknown()
  }

  /** Stops the agent's spending. Resolves to how long it may then take to leave. */
  windDown(attempt: Attempt): Promise<number | undefined> {
    return windDown(attempt, {
      interrupt: () => this.command({ type: 'interrupt' }, { isOurs: true }),
      turnOver: this.conversation.turnOver(),
      look: () => this.spending.catchUp(),
    })
  }

  /** The same for an agent that is ended for another reason than its costs. */
  async calmDown(attempt: Attempt): Promise<void> {
    if (this.conversation.isBetweenTurns) return
    await calmDown(attempt, {
      interrupt: () => this.command({ type: 'interrupt' }, { isOurs: true }),
      turnOver: this.conversation.turnOver(),
    })
  }

  // ── effects of the dialogue ───────────────────────────────────────────────────────────────────────────────────

  onEvent(event: AgentEvent): void {
    this.#identity.tap?.event?.(event, this.interpreter.index)
    const errors = this.hub.publish(event)
    if (errors.length > 0) this.#reportListeners(event, errors)
    // Nearly all events are these, and nothing waits for them.
    if (event.type === 'text_delta' || event.type === 'thinking_delta') return
    this.spending.note(event)
    switch (event.type) {
      case 'approval_request':
      case 'input_required':
      case 'approval_granted':
      case 'approval_denied':
        this.responder.note(event)
        break
      case 'turn_end':
        this.output.turnEnded()
    }
    this.onLimited()
    this.conversation.note(event)
  }

  onWrite(line: string, afterUsage?: true): void {
    if (afterUsage && this.spending.isMetered) void this.#writeWhenCounted(line)
    else this.#write(line)
  }

  #write(line: string): void {
    this.#run.attempt?.write(line)
    this.#identity.tap?.wrote?.(line)
  }

  async #writeWhenCounted(line: string): Promise<void> {
    if (await this.spending.mayAnswer()) this.#write(line)
  }

  /** A store of the run's own goes with its files. */
  onGone(): Promise<void> {
    return this.spending.catchUp()
  }

  onCloseStdin(): void {
    this.#run.attempt?.closeStdin()
  }

  onFailure(failure: TurnFailure, reaction: Reaction): void {
    if (reaction === 'stays') this.#report(failure)
    else if (reaction === 'ends') void this.#run.attempt?.end()
    else if (reaction === 'closes') this.conversation.close(true)
  }

  /** The agent asks for something of ours. Its answer is of no use once the process is gone. */
  onHost(requestId: string, request: HostRequest): void {
    const { attempt } = this.#run
    void attempt?.perform(request).then((result) => {
      if (this.#run.attempt === attempt) this.take({ kind: 'host', requestId, result })
    })
  }

  onHttp(request: HttpRequest): void {
    void this.#run.attempt?.exchange(request)
  }

  onEndProcess(): void {
    void this.#run.attempt?.end()
  }

  onMayBeOver(isOver: boolean): void {
    this.conversation.mayBeOver(isOver)
  }

  onLimited(): void {
    if (this.#run.attempt) this.#limitWatch.note(this.totals.retrying, this.totals.progress)
  }

  onQuota(status: QuotaStatus): void {
    this.#identity.tap?.quota?.(status)
  }

  onResponse(requestId: string, response: HttpResponse): void {
    const { attempt } = this.#run
    if (!attempt) return
    this.conversation.heard()
    attempt.touch()
    this.take({ kind: 'http', requestId, response })
  }

  // ── the agent's process ───────────────────────────────────────────────────────────────────────────────────────

  onLines(lines: string[], source: StreamSource): void {
    if (!this.#run.attempt || lines.length === 0) return
    this.conversation.heard()
    this.interpreter.lines(lines, source, this.#afterLine)
  }

  onTapFailure(error: unknown): void {
    const message = `The log of the run could not be written: ${error instanceof Error ? error.message : error}`
    void this.#run.endAs('storage', failTurn('storage', { message }))
  }

  onOversizedLine(bytes: number, source: StreamSource): void {
    const message = `A line of ${bytes} bytes on ${source} was cut: it is longer than any record should be`
    this.interpreter.emit({ type: 'error', code: 'PARSE_ERROR', message, recoverable: true })
  }

  mustWait(): boolean {
    const { attempt } = this.#run
    attempt?.touch()
    if (!this.hub.isSaturated) return false
    this.hub.onDrain(() => attempt?.resumeReading())
    return true
  }

  isWaitingOnPurpose(): boolean {
    const { state, isBetweenTurns } = this.conversation
    const isAsking = this.responder.interactions.pending.length > 0
    return state === 'paused' || isBetweenTurns || isAsking || this.hub.isSaturated
  }

  onInactive(wasHeard: boolean): void {
    const { adapter } = this.#run
    if (!wasHeard) this.warn('The agent has not said a word since its start. Is it installed right and signed in?')
    const note = adapter && timeoutNote(adapter)
    if (note) this.interpreter.emit(note)
    void this.#run.endAs('inactivity')
  }

  #reportListeners({ type }: AgentEvent, errors: readonly unknown[]): void {
    if (type === 'debug') return
    for (const error of errors) {
      this.warn(`A listener of ${type} threw: ${error instanceof Error ? error.message : error}`)
    }
  }

  #spendingPort(emit: (draft: AgentEventDraft) => void): SpendingPort {
    const run = this.#run
    const { conversation } = this
    return {
      emit,
      get adapter() {
        return run.adapter
      },
      get attempt() {
        return run.attempt
      },
      get isPaused() {
        return conversation.state === 'paused'
      },
      stop: (reason, effects) => void run.endAs(reason, effects),
      stopTurn: (failure) => {
        this.take({ kind: 'turn_stop', failure })
        this.#report(failure)
        return conversation.stopTurn()
      },
    }
  }

  #outputPort(): OutputCheckPort {
    const { conversation } = this
    return {
      get takesTurns() {
        return conversation.takesTurns
      },
      send: (prompt) => conversation.send(prompt),
      accept: (value) => this.take({ kind: 'output', value }),
      fail: (failure) => this.take({ kind: 'fail', failure, endsTurn: true }),
    }
  }

  /** In a run that stays open a failed turn is news, not the end. */
  #report({ outcome }: TurnFailure): void {
    const message = outcome.evidence ?? outcome.kind
    const code = errorCodeOfOutcome(outcome) ?? 'INTERNAL'
    this.interpreter.emit({ type: 'error', code, message, recoverable: true })
  }
}
