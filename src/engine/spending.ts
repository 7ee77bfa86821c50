import type { AgentAdapter } from '../contract/adapter.ts'
import type { Effect, TurnFailure } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { Attempt } from './attempt.ts'
import { costOf, priceOfModel, spentAtLeast, unpricedRequest } from './cost-estimate.ts'
import type { Interpreter } from './interpreter.ts'
import { Limits } from './limits.ts'
import { RequestCount } from './request-count.ts'
import { ResponseCount } from './response-count.ts'
import type { UsageWatch } from './usage-watch.ts'
import { hold, untilCounted } from './wind-down.ts'

/** An agent that has written nothing down in so many holds writes it when its turn is over. */
const MOST_VAIN_HOLDS = 3

/** What the spending asks of its run. */
export interface SpendingPort {
  readonly adapter: AgentAdapter | null
  readonly attempt: Attempt | null
  readonly isPaused: boolean
  emit(draft: AgentEventDraft): void
  /** Ends the run. */
  stop(reason: 'budget' | 'turn_limit', effects: readonly Effect[]): void
  /** Ends the turn, and not the run. False: the agent cannot do that. */
  stopTurn(failure: TurnFailure): boolean
}

/** What a run uses and costs while it goes on, and the caller's limits on that. */
export class Spending {
  /** For an agent that reports its usage late. */
  watch: UsageWatch | null = null
  readonly #options: RunOptions
  readonly #interpreter: Interpreter
  readonly #port: SpendingPort
  readonly #limits: Limits
  readonly #requests = new RequestCount(() => this.#usageShowsRequests())
  readonly #responses = new ResponseCount()
  #isHolding = false
  #vainHolds = 0

  constructor(options: RunOptions, interpreter: Interpreter, port: SpendingPort) {
    this.#options = options
    this.#interpreter = interpreter
    this.#port = port
    this.#limits = new Limits(options, {
      spentUsd: () => spentAtLeast(this.#totals, this.#models, this.#mainModel),
      isCounted: () => this.#totals.usage !== null || this.#totals.cost !== null || this.#totals.estimate !== null,
      unpriced: () => unpricedRequest(this.#totals, this.#models, this.#mainModel),
      unpricedModel: () => this.#unpricedModel(),
      reportsCost: () => port.adapter?.capabilities.reportsCost === true,
      countsTurns: () => port.adapter?.capabilities.supportsMaxTurns === true,
    })
  }

  note(event: AgentEvent): void {
    this.watch?.poke()
    this.#countRequests(event)
    this.#responses.note(event)
    switch (event.type) {
      case 'turn_start':
        this.#stopFor('budget', this.#limits.withoutPrice())
        break
      case 'turn_end':
        if (this.#interpreter.translator.ledger.lastTurnWasReported) this.watch?.settle()
        this.warnOfUnknown()
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
  }

  /** An unknown cost is not a cost of nothing. */
  warnOfUnknown(): void {
    const message = this.#limits.unknownCost()
    if (message !== null) this.#port.emit({ type: 'debug', level: 'warn', message })
  }

  /** Counts what is in the agent's store by now. */
  async catchUp(): Promise<void> {
    await this.watch?.catchUp()
  }

  /** There is a budget to keep, and the agent's store is where its requests are to be found. */
  get isMetered(): boolean {
    const { maxCostUsd } = this.#options
    const { isReported } = this.#interpreter.translator.ledger
    return maxCostUsd !== undefined && this.#vainHolds < MOST_VAIN_HOLDS && !isReported
  }

  /** The agent waits for an answer, and writes down meanwhile what it has used. False: it must not have it any more. */
  async mayAnswer(): Promise<boolean> {
    const { watch } = this
    const mayGoOn = this.#untilStopped()
    if (watch) {
      const isCounted = () => watch.requests >= this.#responses.begun
      this.#noteHold(await untilCounted({ look: () => watch.catchUp(), isCounted, mayGoOn }))
    }
    return mayGoOn()
  }

  /** What the agent has used is looked up before its tool has run, so that it cannot ask for more meanwhile. */
  async #lookFirst(): Promise<void> {
    const { watch } = this
    const { attempt } = this.#port
    if (!watch || !attempt || this.#interpreter.ending.isStopped || this.#isHolding || !this.isMetered) return
    this.#isHolding = true
    const isStillOn = this.#untilStopped()
    const isFound = await hold(attempt, {
      look: () => watch.catchUp(),
      isCounted: () => watch.requests >= this.#responses.finished,
      mayGoOn: () => !this.#port.isPaused && isStillOn(),
    })
    this.#isHolding = false
    this.#noteHold(isFound)
  }

  #untilStopped(): () => boolean {
    const { attempt } = this.#port
    return () => !this.#interpreter.ending.isStopped && this.#port.attempt === attempt
  }

  #noteHold(isFound: boolean): void {
    this.#vainHolds = isFound ? 0 : this.#vainHolds + 1
    if (!isFound) this.#responses.settle(this.watch?.requests ?? 0)
  }

  /** Not where usage is reported after the turn: what is read from the agent's store comes too late for a count. */
  #usageShowsRequests(): boolean {
    const { callsToolsEarly = false, usageAfterTurn = [] } = this.#port.adapter?.capabilities ?? {}
    return callsToolsEarly && !usageAfterTurn.includes(this.#options.nonInteractive ? 'one-shot' : 'live')
  }

  /** Within one request of the limit: what comes of it is the first sign that it was made. */
  #countRequests(event: AgentEvent): void {
    const effects = this.#limits.turnTooMany(this.#requests.note(event))
    const { ending } = this.#interpreter
    if (!effects || ending.turnIsStopped) return
    const failure = effects.find((effect) => 'fail' in effect)?.fail
    const isStopped = failure !== undefined && ending.survivesFailure && this.#port.stopTurn(failure)
    if (!isStopped) this.#stopFor('turn_limit', effects)
  }

  #stopFor(reason: 'budget' | 'turn_limit', effects: readonly Effect[] | null): void {
    if (effects) this.#port.stop(reason, effects)
  }

  get #totals() {
    return this.#interpreter.translator.normaliser.totals
  }

  get #models(): readonly ModelCapabilities[] {
    return this.#port.adapter?.models ?? []
  }

  get #mainModel(): string | null {
    return this.#totals.mainModel() ?? this.#interpreter.translator.model
  }

  /** The cost is emitted while the run goes on, from the agent or else from the price table. */
  #emitEstimate(): void {
    const cost = costOf(this.#totals, this.#models, this.#mainModel)
    if (cost?.source === 'price-table') this.#port.emit({ type: 'cost', cost })
  }

  /** Only of a model that the agent has chosen: the price of one that was asked for is looked up before the start. */
  #unpricedModel(): string | null {
    const { model } = this.#interpreter.translator
    if (model === null || this.#options.model !== undefined) return null
    const rate = priceOfModel(model, this.#totals.priceOf, this.#models, Date.now())
    return rate === null ? model : null
  }
}
