import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { Effect, TurnFailure } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent, StreamSource } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import { completeDraft } from '../core/complete-draft.ts'
import { failTurn } from '../core/failures.ts'
import { RETRY_DEFAULTS } from '../core/retry.ts'
import { spawnFailure, timeoutNote } from './adapter-hooks.ts'
import type { ProcessEnd } from './agent-process.ts'
import { Attempt, type AttemptListener } from './attempt.ts'
import { Budget } from './budget.ts'
import { Conversation } from './conversation.ts'
import { createDialogue } from './default-dialogue.ts'
import { EventHub } from './event-hub.ts'
import { errorCodeOfOutcome, type StopReason, type Verdict } from './outcome.ts'
import { Responder } from './responder.ts'
import { buildResult, costOf } from './result.ts'
import { retryDelayFor } from './retry-decision.ts'
import { finalState, RunEnding } from './run-ending.ts'
import { type EffectHandler, Translator } from './translator.ts'

export interface RunRequest {
  runId: string
  agent: AgentName
  options: RunOptions
  loadAdapter: () => Promise<AgentAdapter>
  processEnv: Readonly<Record<string, string | undefined>>
  /** Things the caller should know, shown as `debug` events at the start. */
  notices: readonly string[]
  onResult?: (result: RunResult) => Promise<void>
}

const NO_PROCESS: ProcessEnd = { exitCode: null, signal: null, stderr: '' }

/**
 * One run from spawn to result: tries the agent, hands its events out through the hub, and says how it ended.
 * `RunHandle` is its public face; what callers say to the agent goes through `conversation`.
 */
export class Run implements EffectHandler, AttemptListener {
  readonly hub: EventHub
  readonly conversation: Conversation
  readonly responder: Responder
  /** Resolves when the agent can be talked to, or when the run has ended without it. */
  readonly started: Promise<void>
  readonly result: Promise<RunResult>
  readonly #request: RunRequest
  readonly #options: RunOptions
  readonly #translator: Translator
  readonly #budget: Budget
  readonly #ending = new RunEnding()
  readonly #startedAt = Date.now()
  #onStarted: () => void = () => {}
  #cancelWait = new AbortController()
  #adapter: AgentAdapter | null = null
  #attempt: Attempt | null = null

  constructor(request: RunRequest) {
    const { options, runId, agent } = request
    this.#request = request
    this.#options = options
    this.hub = new EventHub(options.eventBufferSize ?? 1000, options.collectEvents ?? false)
    this.#translator = new Translator({ runId, options, now: Date.now }, this)
    const emit = (draft: AgentEventDraft) => this.#translator.emit(draft)
    this.conversation = new Conversation(agent, options.keepOpen ?? false, {
      emit,
      apply: (effects) => this.#apply(effects),
      limitReached: () => this.#stopAtTurn(this.#totals.turnCount),
      newTurn: () => {
        this.#ending.newTurn()
        this.#translator.normaliser.expectTurn()
      },
      stopWaiting: () => void this.#endAs('interrupted'),
      modelChanged: (model) => {
        this.#translator.model = model
      },
      caughtUp: () => this.hub.caughtUp(),
    })
    this.responder = new Responder(options, {
      emit,
      answer: (command, event) => this.conversation.answer(command, event),
    })
    this.#budget = new Budget(options, () => this.#spentUsd())
    this.started = new Promise((resolve) => {
      this.#onStarted = resolve
    })
    this.result = this.#drive().finally(() => this.#onStarted())
    // A caller who only iterates gets the error from the iterator; it must not end the process as unhandled.
    this.result.catch((error) => {
      this.conversation.state = 'crashed'
      this.hub.fail(error)
    })
  }

  get model(): string | null {
    return this.#translator.model
  }

  async abort(): Promise<void> {
    await this.#endAs('aborted')
  }

  /** The event for a reader that came too late to see everything. */
  missedEvents(count: number): AgentEvent {
    const message = `${count} earlier events were not kept: read from the start, or set collectEvents`
    const event: AgentEventDraft = { type: 'debug', level: 'warn', message }
    completeDraft(event, { runId: this.#request.runId, agent: this.#request.agent, timestamp: Date.now() })
    return event
  }

  // ── effects of the dialogue ───────────────────────────────────────────────────────────────────────────────────

  onEvent(event: AgentEvent): void {
    for (const error of this.hub.publish(event)) {
      if (event.type === 'debug') continue
      this.#warn(`A listener of ${event.type} threw: ${error instanceof Error ? error.message : error}`)
    }
    switch (event.type) {
      case 'approval_request':
      case 'input_required':
      case 'approval_granted':
      case 'approval_denied':
        this.responder.note(event)
        break
      case 'turn_start':
        this.#stopAtTurn(event.turnIndex)
        break
      case 'turn_end':
        this.#warn(this.#budget.unknownCost())
        break
      case 'cost':
      case 'token_usage':
        this.#stopFor('budget', this.#budget.overrun())
    }
    this.conversation.note(event)
  }

  onWrite(line: string): void {
    this.#attempt?.write(line)
  }

  onCloseStdin(): void {
    this.#attempt?.closeStdin()
  }

  onFailure(failure: TurnFailure): void {
    if (this.#ending.isStopped) return
    const isInterrupt = failure.outcome.kind === 'cancelled' && this.conversation.wasInterrupted
    if (this.conversation.survivesFailure && !failure.endNow && !isInterrupt) {
      this.#reportAndStay(failure)
      return
    }
    this.#ending.fail(failure)
    if (isInterrupt) return
    if (failure.endNow) void this.#attempt?.end()
    else this.conversation.close(true)
  }

  // ── the agent's process ───────────────────────────────────────────────────────────────────────────────────────

  onLine(line: string, source: StreamSource): void {
    if (!this.#attempt) return
    this.conversation.heard()
    this.#translator.line(this.#attempt.dialogue, line, source)
    this.responder.settle()
  }

  onOversizedLine(bytes: number, source: StreamSource): void {
    const message = `A line of ${bytes} bytes on ${source} was cut: it is longer than any record should be`
    this.#translator.emit({ type: 'error', code: 'PARSE_ERROR', message, recoverable: true })
  }

  mustWait(): boolean {
    this.#attempt?.touch()
    if (!this.hub.isSaturated) return false
    this.hub.onDrain(() => this.#attempt?.resumeReading())
    return true
  }

  isWaitingOnPurpose(): boolean {
    const { state, isBetweenTurns } = this.conversation
    return (
      state === 'paused' || isBetweenTurns || this.hub.isSaturated || this.responder.interactions.pending.length > 0
    )
  }

  onInactive(): void {
    const note = this.#adapter && timeoutNote(this.#adapter)
    if (note) this.#translator.emit(note)
    void this.#endAs('inactivity')
  }

  // ── the run itself ────────────────────────────────────────────────────────────────────────────────────────────

  async #drive(): Promise<RunResult> {
    const { signal } = this.#options
    const onAbort = () => void this.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) this.#ending.stop('aborted')
    let timer: NodeJS.Timeout | undefined
    try {
      const adapter = await this.#request.loadAdapter()
      this.#adapter = adapter
      const args = adapter.buildSpawnArgs(this.#options)
      const timeout = this.#options.timeout ?? args.timeout ?? 0
      if (timeout > 0) timer = setTimeout(() => void this.#endAs('timeout'), timeout)
      for (const message of this.#request.notices) this.#warn(message)
      return await this.#attempts(adapter, args)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async #attempts(adapter: AgentAdapter, args: SpawnArgs): Promise<RunResult> {
    for (let attempt = 0; ; attempt++) {
      const exit = await this.#attemptOnce(adapter, args)
      const verdict = this.#judge(exit)
      const delayMs = this.#retryDelay(adapter, verdict, exit, attempt)
      if (delayMs === null) return this.#finish(verdict, exit)
      const maxAttempts = this.#options.retryPolicy?.maxRetries ?? RETRY_DEFAULTS.maxRetries
      const reason = verdict.error?.message ?? verdict.outcome.kind
      // What the process that is gone has asked, nobody can answer any more.
      this.responder.reset()
      this.#ending.newAttempt()
      this.#cancelWait = new AbortController()
      this.#translator.emit({ type: 'retry', attempt: attempt + 1, maxAttempts, reason, delayMs })
      await sleep(delayMs, undefined, { signal: this.#cancelWait.signal }).catch(() => undefined)
    }
  }

  #retryDelay(adapter: AgentAdapter, verdict: Verdict, { spawnError }: ProcessEnd, attempt: number): number | null {
    const policy = this.#options.retryPolicy
    if (!this.#ending.allowsRetry || (spawnError && !policy?.retryOn?.includes('SPAWN_ERROR'))) return null
    const { runId, agent } = this.#request
    const isTransient = this.#ending.hasTransientFailure
    return retryDelayFor({ adapter, verdict, isTransient, attempt, policy, runId, agent })
  }

  async #attemptOnce(adapter: AgentAdapter, args: SpawnArgs): Promise<ProcessEnd> {
    if (this.#ending.isStopped) return NO_PROCESS
    const { runId, processEnv } = this.#request
    const options = this.#options
    const dialogue = createDialogue(adapter, options, runId, args, this.#translator.normaliser)
    let attempt: Attempt
    try {
      attempt = await Attempt.start({ runId, adapter, args, options, processEnv, dialogue }, this)
    } catch (error) {
      const spawnError = error instanceof Error ? error : new Error(String(error))
      this.#ending.fail(spawnFailure(adapter, spawnError))
      return { ...NO_PROCESS, spawnError }
    }
    this.#attempt = attempt
    this.conversation.attach(attempt)
    if (this.#ending.isStopped) void attempt.end()
    this.#apply(dialogue.start(options))
    this.#onStarted()
    const exit = await attempt.closed
    this.#attempt = null
    this.conversation.detach()
    if (exit.spawnError) this.#ending.fail(spawnFailure(adapter, exit.spawnError))
    else if (!this.#ending.isStopped) this.#apply(dialogue.onExit(exit))
    return exit
  }

  async #finish(verdict: Verdict, exit: ProcessEnd): Promise<RunResult> {
    this.conversation.state = finalState(verdict)
    this.responder.reset()
    const unsent = this.conversation.unsentPrompts
    if (unsent > 0) this.#warn(`${unsent} queued prompts were never sent: the run ended first`)
    this.#warn(this.#budget.unknownCost())
    this.#translator.finish(verdict.terminal)
    const { runId, agent, onResult } = this.#request
    const { model, structuredOutput, unrecognized } = this.#translator
    const result = buildResult({
      ...{ runId, agent, verdict, exit, model, structuredOutput, unrecognized },
      totals: this.#totals,
      models: this.#adapter?.models ?? [],
      durationMs: Date.now() - this.#startedAt,
      events: this.hub.collected,
      tags: this.#options.tags ?? [],
    })
    await onResult?.(result).catch(() => undefined) // the index is a convenience; the run is what counts
    this.hub.end()
    return result
  }

  // ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────

  get #totals() {
    return this.#translator.normaliser.totals
  }

  #apply(effects: Effect[]): void {
    this.#translator.apply(effects)
    this.responder.settle()
  }

  #warn(message: string | null): void {
    if (message !== null) this.#translator.emit({ type: 'debug', level: 'warn', message })
  }

  #judge(exit: ProcessEnd): Verdict {
    const { wasInterrupted, isClosing } = this.conversation
    const { refusedQuestions, interactions } = this.responder
    const { deniedTools } = this.#totals
    return this.#ending.judge({
      ...{ exit, wasInterrupted, isClosing, deniedTools, refusedQuestions },
      pending: interactions.pending,
    })
  }

  async #endAs(reason: StopReason, effects: readonly Effect[] = []): Promise<void> {
    if (!this.conversation.isActive || this.#ending.isStopped) return
    this.#ending.stop(reason, effects)
    this.#cancelWait.abort()
    await this.#attempt?.end()
  }

  #stopFor(reason: 'budget' | 'turn_limit', effects: readonly Effect[] | null): void {
    if (effects) void this.#endAs(reason, effects)
  }

  /** Whether this turn (counted from 0) is one too many; if so, the run is ended. */
  #stopAtTurn(index: number): boolean {
    const { maxTurns } = this.#options
    const isNative = this.#adapter?.capabilities.supportsMaxTurns === true
    if (maxTurns === undefined || isNative || index < maxTurns) return false
    this.#stopFor('turn_limit', failTurn('turn_limit', { message: `limit of ${maxTurns} turns`, maxTurns }))
    return true
  }

  #spentUsd(): number | undefined {
    const model = this.#totals.mainModel() ?? this.#translator.model
    return costOf(this.#totals, this.#adapter?.models ?? [], model)?.totalUsd
  }

  /** In a run that stays open a failed turn is news, not the end. */
  #reportAndStay({ outcome }: TurnFailure): void {
    const message = outcome.evidence ?? outcome.kind
    const code = errorCodeOfOutcome(outcome) ?? 'INTERNAL'
    this.#translator.emit({ type: 'error', code, message, recoverable: true })
  }
}
