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
import type { RunOptions } from '../contract/run-options.ts'
import { failTurn } from '../core/failures.ts'
import { timeoutNote } from './adapter-hooks.ts'
import type { Attempt, AttemptListener } from './attempt.ts'
import { Conversation } from './conversation.ts'
import { costOf } from './cost-estimate.ts'
import type { EventHub } from './event-hub.ts'
import type { Interactions } from './interactions.ts'
import { type CommandNotes, Interpreter, type InterpreterHandler } from './interpreter.ts'
import { Limits } from './limits.ts'
import { errorCodeOfOutcome, type StopReason } from './outcome.ts'
import { Responder } from './responder.ts'
import type { RunEnding } from './run-ending.ts'
import type { RunTap } from './run-input.ts'

/** What the events need of their run. */
export interface RunPort {
  readonly adapter: AgentAdapter | null
  readonly attempt: Attempt | null
  readonly ending: RunEnding
  endAs(reason: StopReason, effects?: readonly Effect[]): Promise<void>
}

export interface RunIdentity {
  runId: string
  agent: AgentName
  options: RunOptions
  tap?: RunTap
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
  readonly #identity: RunIdentity
  readonly #run: RunPort
  readonly #limits: Limits
  readonly #afterLine = () => this.responder.settle()

  constructor(identity: RunIdentity, { hub, interactions }: RunFace, run: RunPort) {
    const { agent, options } = identity
    this.#identity = identity
    this.#run = run
    this.hub = hub
    this.interpreter = new Interpreter(identity, this)
    const emit = (draft: AgentEventDraft) => this.interpreter.emit(draft)
    this.conversation = new Conversation(agent, options.keepOpen ?? false, {
      emit,
      command: (command, notes) => this.command(command, notes),
      limitReached: () => this.#stopFor('turn_limit', this.#limits.turnTooMany(this.totals.turnCount)),
      newTurn: () => run.ending.newTurn(),
      stopWaiting: () => void run.endAs('interrupted'),
      caughtUp: () => this.hub.caughtUp(),
    })
    this.responder = new Responder(options, interactions, {
      emit,
      answer: (command, event) => this.conversation.answer(command, event),
    })
    this.#limits = new Limits(options, {
      spentUsd: () => this.#spentUsd(),
      countsTurns: () => run.adapter?.capabilities.supportsMaxTurns === true,
    })
  }

  get translator() {
    return this.interpreter.translator
  }

  get totals() {
    return this.translator.normaliser.totals
  }

  start(dialogue: Dialogue, stdinIsOpen: boolean): void {
    this.interpreter.start(dialogue, this.#identity.options, stdinIsOpen)
    this.responder.settle()
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
    this.warn(this.#limits.unknownCost())
  }

  // ── effects of the dialogue ───────────────────────────────────────────────────────────────────────────────────

  onEvent(event: AgentEvent): void {
    this.#identity.tap?.event?.(event, this.interpreter.index)
    const errors = this.hub.publish(event)
    if (errors.length > 0) this.#reportListeners(event, errors)
    // Nearly all events are these, and nothing waits for them.
    if (event.type === 'text_delta' || event.type === 'thinking_delta') return
    switch (event.type) {
      case 'approval_request':
      case 'input_required':
      case 'approval_granted':
      case 'approval_denied':
        this.responder.note(event)
        break
      case 'turn_start':
        this.#stopFor('turn_limit', this.#limits.turnTooMany(event.turnIndex))
        break
      case 'turn_end':
        this.warn(this.#limits.unknownCost())
        break
      case 'cost':
      case 'token_usage':
        this.#stopFor('budget', this.#limits.overspent())
    }
    this.conversation.note(event)
  }

  onWrite(line: string): void {
    this.#run.attempt?.write(line)
    this.#identity.tap?.wrote?.(line)
  }

  onCloseStdin(): void {
    this.#run.attempt?.closeStdin()
  }

  onFailure(failure: TurnFailure): void {
    const { ending, attempt } = this.#run
    if (ending.isStopped) return
    const isInterrupt = failure.outcome.kind === 'cancelled' && this.conversation.wasInterrupted
    if (this.conversation.survivesFailure && !failure.endNow && !isInterrupt) {
      this.#reportAndStay(failure)
      return
    }
    ending.fail(failure)
    if (isInterrupt) return
    if (failure.endNow) void attempt?.end()
    else this.conversation.close(true)
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

  #stopFor(reason: 'budget' | 'turn_limit', effects: readonly Effect[] | null): boolean {
    if (effects) void this.#run.endAs(reason, effects)
    return effects !== null
  }

  #spentUsd(): number | undefined {
    const model = this.totals.mainModel() ?? this.translator.model
    return costOf(this.totals, this.#run.adapter?.models ?? [], model)?.totalUsd
  }

  /** In a run that stays open a failed turn is news, not the end. */
  #reportAndStay({ outcome }: TurnFailure): void {
    const message = outcome.evidence ?? outcome.kind
    const code = errorCodeOfOutcome(outcome) ?? 'INTERNAL'
    this.interpreter.emit({ type: 'error', code, message, recoverable: true })
  }
}
