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
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import type { QuotaStatus } from '../contract/quota.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { failTurn } from '../core/failures.ts'
import { timeoutNote } from './adapter-hooks.ts'
import type { Attempt, AttemptListener } from './attempt.ts'
import { Conversation } from './conversation.ts'
import { costOf, priceOfModel, spentAtLeast, unpricedRequest } from './cost-estimate.ts'
import type { EventHub } from './event-hub.ts'
import type { Interactions } from './interactions.ts'
import { type CommandNotes, Interpreter, type InterpreterHandler } from './interpreter.ts'
import { LimitWatch, limitFailure } from './limit-watch.ts'
import { Limits } from './limits.ts'
import { errorCodeOfOutcome, type StopReason } from './outcome.ts'
import type { OutputGuard } from './output-guard.ts'
import { RequestCount } from './request-count.ts'
import { Responder } from './responder.ts'
import { ResponseCount } from './response-count.ts'
import type { RunEnding } from './run-ending.ts'
import type { RunTap } from './run-input.ts'
import type { UsageWatch } from './usage-watch.ts'
import { calmDown, hold, untilCounted, windDown } from './wind-down.ts'

/** An agent that has written nothing down in so many holds writes it when its turn is over. */
const MOST_VAIN_HOLDS = 3

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
  readonly #identity: RunIdentity
  readonly #run: RunPort
  readonly #limits: Limits
  readonly #limitWatch: LimitWatch
  readonly #requests = new RequestCount(() => this.#usageShowsRequests())
  /** For an agent that reports its usage late. */
  usageWatch: UsageWatch | null = null
  /** For a run whose answer has to fit a schema. */
  outputGuard: OutputGuard | null = null
  #outputCheck: Promise<void> | null = null
  #isRepairing = false
  readonly #responses = new ResponseCount()
  #isHolding = false
  #vainHolds = 0
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
      newTurn: () => {
        if (!this.#isRepairing) this.outputGuard?.newPrompt()
      },
      stopWaiting: () => void run.endAs('interrupted'),
      caughtUp: async () => {
        await this.outputChecked()
        await this.hub.caughtUp()
      },
    })
    this.responder = new Responder(identity, interactions, {
      emit,
      answer: (command, event) => this.conversation.answer(command, event),
    })
    this.#limitWatch = new LimitWatch(options.limitGraceMs, () => {
      const { retrying } = this.totals
      if (retrying && run.attempt) void run.endAs('limit', limitFailure(retrying))
    })
    this.#limits = new Limits(options, {
      spentUsd: () => spentAtLeast(this.totals, this.#models, this.#mainModel),
      isCounted: () => this.totals.usage !== null || this.totals.cost !== null || this.totals.estimate !== null,
      unpriced: () => unpricedRequest(this.totals, this.#models, this.#mainModel),
      unpricedModel: () => this.#unpricedModel(),
      reportsCost: () => run.adapter?.capabilities.reportsCost === true,
      countsTurns: () => run.adapter?.capabilities.supportsMaxTurns === true,
    })
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
    // What an earlier attempt answered says nothing about this one.
    this.#outputCheck = null
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
    this.warn(this.#limits.unknownCost())
  }

  /** Stops the agent's spending. Resolves to how long it may then take to leave. */
  windDown(attempt: Attempt): Promise<number | undefined> {
    return windDown(attempt, {
      interrupt: () => this.command({ type: 'interrupt' }, { isOurs: true }),
      turnOver: this.conversation.turnOver(),
      look: () => this.usageWatch?.catchUp() ?? Promise.resolve(),
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
    this.usageWatch?.poke()
    this.#countRequests(event)
    this.#responses.note(event)
    switch (event.type) {
      case 'approval_request':
      case 'input_required':
      case 'approval_granted':
      case 'approval_denied':
        this.responder.note(event)
        break
      case 'turn_start':
        this.ending.turnStarted()
        this.#stopFor('budget', this.#limits.withoutPrice())
        break
      case 'turn_end':
        if (this.translator.ledger.lastTurnWasReported) this.usageWatch?.settle()
        this.warn(this.#limits.unknownCost())
        this.#outputCheck = this.#checkOutput()
        break
      case 'tool_call_start':
        void this.#lookFirst()
        break
      case 'token_usage':
        this.#emitEstimate()
        this.#stopFor('budget', this.#limits.overspent())
        break
      case 'cost':
        this.#stopFor('budget', this.#limits.overspent())
    }
    this.onLimited()
    this.conversation.note(event)
  }

  onWrite(line: string, afterUsage?: true): void {
    if (afterUsage && this.#isMetered) void this.#writeWhenCounted(line)
    else this.#write(line)
  }

  #write(line: string): void {
    this.#run.attempt?.write(line)
    this.#identity.tap?.wrote?.(line)
  }

  /** The agent waits for this line, and writes down meanwhile what it has used. */
  async #writeWhenCounted(line: string): Promise<void> {
    const { usageWatch } = this
    const { ending } = this
    const { attempt } = this.#run
    const mayGoOn = () => !ending.isStopped && this.#run.attempt === attempt
    if (usageWatch) {
      const isCounted = () => usageWatch.requests >= this.#responses.begun
      this.#noteHold(await untilCounted({ look: () => usageWatch.catchUp(), isCounted, mayGoOn }))
    }
    if (mayGoOn()) this.#write(line)
  }

  /** A store of the run's own goes with its files. */
  async onGone(): Promise<void> {
    await this.usageWatch?.catchUp()
  }

  onCloseStdin(): void {
    this.#run.attempt?.closeStdin()
  }

  onFailure(failure: TurnFailure): void {
    const reaction = this.ending.failed(failure)
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
    if (this.#run.attempt) this.#limitWatch.note(this.totals.retrying)
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

  /** Resolves when the answer of the last turn is known to fit, or not to; one that was not looked at is looked at now. */
  async outputChecked(): Promise<void> {
    this.#outputCheck ??= this.#checkOutput()
    await this.#outputCheck
  }

  /** A turn that has gone wrong anyway has no answer to look at. */
  async #checkOutput(): Promise<void> {
    const { outputGuard, conversation, totals, translator, ending } = this
    const isAmiss = () => ending.isStopped || ending.hasFailed || ending.wasInterrupted
    if (!outputGuard || isAmiss() || totals.deniedTools.length > 0 || totals.openQuestions.size > 0) return
    const checked = await outputGuard.check(translator.structuredOutput, translator.normaliser.answer)
    if (isAmiss()) return
    if ('value' in checked) {
      this.take({ kind: 'output', value: checked.value })
      return
    }
    const repair = conversation.takesTurns ? outputGuard.repair(checked.fault) : null
    if (repair !== null && this.#sendRepair(repair)) return
    for (const effect of failTurn('output_invalid', {
      message: `The answer does not fit its schema: ${checked.fault}`,
    })) {
      if (!('fail' in effect)) continue
      this.take({ kind: 'fail', failure: effect.fail })
      this.onFailure(effect.fail)
    }
  }

  #sendRepair(prompt: string): boolean {
    this.#isRepairing = true
    try {
      this.conversation.send(prompt)
      return true
    } catch {
      return false
    } finally {
      this.#isRepairing = false
    }
  }

  /** Not where usage is reported after the turn: what is read from the agent's store comes too late for a count. */
  #usageShowsRequests(): boolean {
    const { callsToolsEarly = false, usageAfterTurn = [] } = this.#run.adapter?.capabilities ?? {}
    return callsToolsEarly && !usageAfterTurn.includes(this.#identity.options.nonInteractive ? 'one-shot' : 'live')
  }

  /** Within one request of the limit: what comes of it is the first sign that it was made. */
  #countRequests(event: AgentEvent): void {
    const effects = this.#limits.turnTooMany(this.#requests.note(event))
    if (!effects || this.ending.turnIsStopped) return
    const failure = effects.find((effect) => 'fail' in effect)?.fail
    if (!failure || !this.ending.survivesFailure) {
      this.#stopFor('turn_limit', effects)
      return
    }
    this.take({ kind: 'turn_stop', failure })
    this.#report(failure)
    if (!this.conversation.stopTurn()) this.#stopFor('turn_limit', effects)
  }

  #stopFor(reason: 'budget' | 'turn_limit', effects: readonly Effect[] | null): boolean {
    if (effects) void this.#run.endAs(reason, effects)
    return effects !== null
  }

  /** What the agent has used is looked up before its tool has run, so that it cannot ask for more meanwhile. */
  async #lookFirst(): Promise<void> {
    const { usageWatch, ending } = this
    const { attempt } = this.#run
    if (!usageWatch || !attempt || ending.isStopped || this.#isHolding || !this.#isMetered) return
    this.#isHolding = true
    const isFound = await hold(attempt, {
      look: () => usageWatch.catchUp(),
      isCounted: () => usageWatch.requests >= this.#responses.finished,
      mayGoOn: () => this.conversation.state !== 'paused' && !ending.isStopped && this.#run.attempt === attempt,
    })
    this.#isHolding = false
    this.#noteHold(isFound)
  }

  /** There is a budget to keep, and the agent's store is where its requests are to be found. */
  get #isMetered(): boolean {
    const { maxCostUsd } = this.#identity.options
    return maxCostUsd !== undefined && this.#vainHolds < MOST_VAIN_HOLDS && !this.translator.ledger.isReported
  }

  #noteHold(isFound: boolean): void {
    this.#vainHolds = isFound ? 0 : this.#vainHolds + 1
    if (!isFound) this.#responses.settle(this.usageWatch?.requests ?? 0)
  }

  get #models(): readonly ModelCapabilities[] {
    return this.#run.adapter?.models ?? []
  }

  get #mainModel(): string | null {
    return this.totals.mainModel() ?? this.translator.model
  }

  /** The cost is emitted while the run goes on, from the agent or else from the price table. */
  #emitEstimate(): void {
    const cost = costOf(this.totals, this.#models, this.#mainModel)
    if (cost?.source === 'price-table') this.interpreter.emit({ type: 'cost', cost })
  }

  /** Only of a model that the agent has chosen: the price of one that was asked for is looked up before the start. */
  #unpricedModel(): string | null {
    const { model } = this.translator
    if (model === null || this.#identity.options.model !== undefined) return null
    const { priceOf } = this.totals
    const rate = priceOfModel(model, priceOf, this.#models, Date.now())
    return rate === null ? model : null
  }

  /** In a run that stays open a failed turn is news, not the end. */
  #report({ outcome }: TurnFailure): void {
    const message = outcome.evidence ?? outcome.kind
    const code = errorCodeOfOutcome(outcome) ?? 'INTERNAL'
    this.interpreter.emit({ type: 'error', code, message, recoverable: true })
  }
}
