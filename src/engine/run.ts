import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { Dialogue, DialogueCommand, Effect, TurnFailure } from '../contract/dialogue.ts'
import { AgentMuxError, CapabilityError } from '../contract/errors.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent, StreamSource } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { ExitReason } from '../contract/outcome.ts'
import type { DeliveryTime, RunResult, RunState } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import { completeDraft } from '../core/complete-draft.ts'
import { failTurn } from '../core/failures.ts'
import { RETRY_DEFAULTS } from '../core/retry.ts'
import { agentEnvironment } from '../process/environment.ts'
import { AgentProcess, type ProcessEnd } from './agent-process.ts'
import { Budget } from './budget.ts'
import { createDialogue } from './default-dialogue.ts'
import { DeferredPrompts } from './deferred-prompts.ts'
import { EventHub } from './event-hub.ts'
import type { Interactions } from './interactions.ts'
import { type Ending, errorCodeOfOutcome, judge, type StopReason, type Verdict } from './outcome.ts'
import { Responder } from './responder.ts'
import { buildResult } from './result.ts'
import { retryDelayFor } from './retry-decision.ts'
import { InactivityTimer } from './timers.ts'
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

const DEFAULT_GRACE_MS = 5000
/** After its input is closed, an agent that has nothing left to do gets this long to leave by itself. */
const LEAVE_MS = 3000

const FINAL_STATE: Record<ExitReason, RunState> = {
  completed: 'completed',
  turn_limit: 'completed',
  interrupted: 'completed',
  aborted: 'aborted',
  timeout: 'timed-out',
  inactivity: 'timed-out',
  crashed: 'crashed',
  killed: 'killed',
}

/**
 * One run from spawn to result. Owns the process, the dialogue and the timers; `RunHandle` is its public face.
 * Events go out through the hub, commands come in through the methods here, and nothing else changes its state.
 */
export class Run implements EffectHandler {
  readonly hub: EventHub
  readonly interactions: Interactions
  /** Resolves when the agent can be talked to, or when the run has ended without it. */
  readonly started: Promise<void>
  readonly result: Promise<RunResult>
  state: RunState = 'spawned'
  readonly #request: RunRequest
  readonly #options: RunOptions
  readonly #translator: Translator
  readonly #budget: Budget
  readonly #deferred = new DeferredPrompts()
  readonly #startedAt = Date.now()
  readonly #cancelWait = new AbortController()
  readonly #responder: Responder
  #onStarted: () => void = () => {}
  #adapter: AgentAdapter | null = null
  #dialogue: Dialogue | null = null
  #process: AgentProcess | null = null
  #inactivity: InactivityTimer | null = null
  #stop: StopReason | null = null
  #failure: TurnFailure | null = null
  #turnIsActive = true
  #wasInterrupted = false
  #isClosing = false

  constructor(request: RunRequest) {
    const { options, runId } = request
    this.#request = request
    this.#options = options
    this.hub = new EventHub(options.eventBufferSize ?? 1000, options.collectEvents ?? false)
    this.#responder = new Responder(options, {
      emit: (draft) => this.#translator.emit(draft),
      command: (command) => this.#command(command),
    })
    this.interactions = this.#responder.interactions
    this.#translator = new Translator({ runId, options, now: Date.now }, this)
    this.#budget = new Budget(options, this.#translator.normaliser.totals)
    this.started = new Promise((resolve) => {
      this.#onStarted = resolve
    })
    this.result = this.#drive().finally(() => this.#onStarted())
    // A caller who only iterates gets the error from the iterator; it must not end the process as unhandled.
    this.result.catch((error) => this.hub.fail(error))
  }

  get model(): string | null {
    return this.#translator.model
  }

  get isActive(): boolean {
    return (
      this.state === 'spawned' || this.state === 'running' || this.state === 'paused' || this.state === 'interrupted'
    )
  }

  // ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────

  sendTurn(text: string): void {
    this.#assertActive()
    if (this.#stopAtTurnLimit()) return
    this.#turnIsActive = true
    this.#wasInterrupted = false
    this.#failure = null
    this.#command({ type: 'user_turn', text })
  }

  defer(text: string, when: DeliveryTime, command: 'user_turn' | 'steer'): void {
    this.#assertActive()
    if (!this.#turnIsActive) return this.sendTurn(text)
    this.#deferred.add({ text, when, command })
  }

  steer(text: string): void {
    this.#assertActive()
    if (!this.#turnIsActive) return this.sendTurn(text)
    this.#command({ type: 'steer', text })
  }

  setModel(model: string): void {
    this.#assertActive()
    this.#command({ type: 'set_model', model })
    this.#translator.model = model
  }

  interrupt(): void {
    this.#assertActive()
    this.#wasInterrupted = true
    this.state = 'interrupted'
    const effects = this.#dialogue?.onCommand({ type: 'interrupt' }) ?? null
    if (effects) this.#apply(effects)
    else this.#process?.signal('SIGINT')
  }

  async abort(): Promise<void> {
    if (!this.isActive) return
    await this.#endAs('aborted')
  }

  pause(): void {
    if (this.state !== 'running') throw this.#wrongState('pause')
    // SIGSTOP: a process group without a terminal is an orphaned one, where the kernel discards SIGTSTP.
    this.#process?.signal('SIGSTOP')
    this.state = 'paused'
    this.#translator.emit({ type: 'paused' })
  }

  resume(): void {
    if (this.state !== 'paused') throw this.#wrongState('resume')
    this.#process?.signal('SIGCONT')
    this.state = 'running'
    this.#inactivity?.touch()
    this.#translator.emit({ type: 'resumed' })
  }

  close(): void {
    if (this.isActive) this.#closeRun()
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
    const errors = this.hub.publish(event)
    for (const error of errors) {
      const message = `A listener of ${event.type} threw: ${error instanceof Error ? error.message : error}`
      if (event.type !== 'debug') this.#translator.emit({ type: 'debug', level: 'warn', message })
    }
    switch (event.type) {
      case 'approval_request':
      case 'input_required':
      case 'approval_granted':
      case 'approval_denied':
        this.#responder.note(event)
        break
      case 'turn_start':
        this.#turnIsActive = true
        break
      case 'turn_end':
        this.#turnIsActive = false
        break
      case 'cost':
      case 'token_usage': {
        const overrun = this.#budget.overrun()
        if (overrun) this.#stopFor('budget', overrun)
      }
    }
    for (const { text, command } of this.#deferred.take(event.type)) {
      if (command === 'steer' && this.#turnIsActive) this.#command({ type: 'steer', text })
      else this.sendTurn(text)
    }
    if (event.type === 'turn_end') void this.#afterTurn()
  }

  onWrite(line: string): void {
    this.#process?.write(`${line}\n`)
  }

  onCloseStdin(): void {
    this.#process?.closeStdin()
  }

  onFailure(failure: TurnFailure): void {
    if (this.#stop) return
    const isInterrupt = failure.outcome.kind === 'cancelled' && this.#wasInterrupted
    if (this.#options.keepOpen && !failure.endNow && !isInterrupt) return this.#reportAndStay(failure)
    this.#failure ??= failure
    if (isInterrupt) return
    if (failure.endNow) void this.#process?.end(this.#graceMs)
    else this.#closeRun()
  }

  // ── the run itself ────────────────────────────────────────────────────────────────────────────────────────────

  async #drive(): Promise<RunResult> {
    const { signal, timeout = 0 } = this.#options
    const onAbort = () => void this.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) this.#stop = 'aborted'
    const timer = timeout > 0 ? setTimeout(() => void this.#endAs('timeout'), timeout) : null
    try {
      this.#adapter = await this.#request.loadAdapter()
      const args = this.#adapter.buildSpawnArgs(this.#options)
      for (const message of this.#request.notices) this.#translator.emit({ type: 'debug', level: 'warn', message })
      return await this.#attempts(this.#adapter, args)
    } finally {
      if (timer) clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async #attempts(adapter: AgentAdapter, args: SpawnArgs): Promise<RunResult> {
    for (let attempt = 0; ; attempt++) {
      const exit = await this.#attempt(adapter, args)
      const verdict = judge(this.#ending(exit))
      const delayMs = this.#retryDelay(adapter, verdict, attempt)
      if (delayMs === null) return this.#finish(verdict, exit)
      const maxAttempts = this.#options.retryPolicy?.maxRetries ?? RETRY_DEFAULTS.maxRetries
      const reason = verdict.error?.message ?? verdict.outcome.kind
      this.#translator.emit({ type: 'retry', attempt: attempt + 1, maxAttempts, reason, delayMs })
      await sleep(delayMs, undefined, { signal: this.#cancelWait.signal }).catch(() => undefined)
      this.#failure = null
      this.#isClosing = false
      if (this.#stop === 'inactivity') this.#stop = null
    }
  }

  #retryDelay(adapter: AgentAdapter, verdict: Verdict, attempt: number): number | null {
    if (this.#stop !== null && this.#stop !== 'inactivity') return null
    const isTransient = this.#failure?.transient ?? false
    const { runId, agent } = this.#request
    return retryDelayFor({ adapter, verdict, isTransient, attempt, policy: this.#options.retryPolicy, runId, agent })
  }

  async #attempt(adapter: AgentAdapter, args: SpawnArgs): Promise<ProcessEnd> {
    if (this.#stop) return { exitCode: null, signal: null, stderr: '' }
    const { runId, processEnv } = this.#request
    const dialogue = createDialogue(adapter, this.#options, runId, args, this.#translator.normaliser)
    const env = agentEnvironment({
      processEnv,
      passEnv: [...(adapter.manifest?.passEnv ?? []), ...(this.#options.passEnv ?? [])],
      set: [args.env, this.#options.env ?? {}],
      runId,
    })
    const process = await AgentProcess.start(args, env, runId, {
      onLine: (line, source) => this.#onLine(dialogue, line, source),
      onOversizedLine: (bytes, source) => this.#reportOversized(bytes, source),
      mustWait: () => this.#mustWait(),
    })
    this.#dialogue = dialogue
    this.#process = process
    if (this.#stop) void process.end(this.#graceMs)
    const limit = this.#options.inactivityTimeout ?? args.inactivityTimeout ?? 0
    this.#inactivity = new InactivityTimer(
      limit,
      () => this.#isWaitingOnPurpose(),
      () => this.#onInactive(),
    )
    this.#writeStdin(args)
    this.#apply(dialogue.start(this.#options))
    this.#onStarted()

    const exit = await process.closed
    this.#inactivity.stop()
    this.#process = null
    if (exit.spawnError) this.#onSpawnError(adapter, exit.spawnError)
    else if (!this.#stop) this.#apply(dialogue.onExit(exit))
    return exit
  }

  async #finish(verdict: Verdict, exit: ProcessEnd): Promise<RunResult> {
    this.state = FINAL_STATE[verdict.exitReason]
    for (const { id } of this.interactions.pending) this.interactions.remove(id)
    if (this.#deferred.size > 0) {
      const message = `${this.#deferred.size} queued prompts were never sent: the run ended first`
      this.#translator.emit({ type: 'debug', level: 'warn', message })
    }
    this.#translator.finish(verdict.terminal)
    const { runId, agent, onResult } = this.#request
    const result = buildResult({
      runId,
      agent,
      totals: this.#translator.normaliser.totals,
      verdict,
      models: this.#adapter?.models ?? [],
      model: this.#translator.model,
      structuredOutput: this.#translator.structuredOutput,
      unrecognized: this.#translator.unrecognized,
      durationMs: Date.now() - this.#startedAt,
      exit,
      events: this.hub.collected,
      tags: this.#options.tags ?? [],
    })
    await onResult?.(result).catch(() => undefined) // the index is a convenience; the run is what counts
    this.hub.end()
    return result
  }

  // ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────

  get #graceMs(): number {
    return this.#options.gracePeriodMs ?? DEFAULT_GRACE_MS
  }

  #onLine(dialogue: Dialogue, line: string, source: StreamSource): void {
    this.#inactivity?.touch()
    if (this.state === 'spawned' || (this.state === 'interrupted' && !this.#isClosing)) this.state = 'running'
    this.#translator.line(dialogue, line, source)
    this.#responder.settle()
  }

  #apply(effects: Effect[]): void {
    this.#translator.apply(effects)
    this.#responder.settle()
  }

  #command(command: DialogueCommand): void {
    const effects = this.#dialogue?.onCommand(command)
    if (effects) return this.#apply(effects)
    if (effects === undefined) throw new AgentMuxError('RUN_NOT_ACTIVE', 'The agent is not running')
    if (command.type === 'user_turn' || command.type === 'steer') {
      throw new AgentMuxError('STDIN_NOT_AVAILABLE', `${this.#request.agent} takes no further input in this run`)
    }
    throw new CapabilityError(this.#request.agent, command.type)
  }

  #mustWait(): boolean {
    if (!this.hub.isSaturated) return false
    this.hub.onDrain(() => this.#process?.resumeReading())
    return true
  }

  #isWaitingOnPurpose(): boolean {
    return (
      this.state === 'paused' || !this.#turnIsActive || this.hub.isSaturated || this.interactions.pending.length > 0
    )
  }

  #writeStdin({ stdin, closeStdinAfterSpawn }: SpawnArgs): void {
    if (stdin !== undefined) this.#process?.write(stdin)
    if (closeStdinAfterSpawn ?? stdin !== undefined) this.#process?.closeStdin()
  }

  /** Between turns: whoever wants another one has until all readers have seen the end of this one. */
  async #afterTurn(): Promise<void> {
    const warning = this.#budget.unknownCost()
    if (warning) this.#translator.emit({ type: 'debug', level: 'warn', message: warning })
    if (this.#options.keepOpen || this.#isClosing) return
    await this.hub.caughtUp()
    if (!this.#turnIsActive && this.#dialogue?.busy?.() !== true) this.#closeRun()
  }

  /** No more turns. The agent leaves by itself, or is made to. */
  #closeRun(): void {
    if (this.#isClosing) return
    const effects = this.#dialogue?.onCommand({ type: 'close' })
    // An agent without a dialogue ends when it is done; only a failed one is not waited for.
    if (!effects && !this.#failure) return
    this.#isClosing = true
    if (effects) this.#apply(effects)
    const process = this.#process
    if (!process) return
    const timer = setTimeout(() => void process.end(this.#graceMs), LEAVE_MS)
    void process.closed.finally(() => clearTimeout(timer))
  }

  async #endAs(reason: StopReason): Promise<void> {
    if (!this.isActive || this.#stop) return
    this.#stop = reason
    this.#cancelWait.abort()
    await this.#process?.end(this.#graceMs)
  }

  #stopFor(reason: 'budget' | 'turn_limit', effects: Effect[]): void {
    for (const effect of effects) if ('fail' in effect) this.#failure = effect.fail
    void this.#endAs(reason)
  }

  #stopAtTurnLimit(): boolean {
    const { maxTurns } = this.#options
    const isNative = this.#adapter?.capabilities.supportsMaxTurns === true
    if (maxTurns === undefined || isNative || this.#translator.normaliser.totals.turnCount < maxTurns) return false
    this.#stopFor('turn_limit', failTurn('turn_limit', { message: `limit of ${maxTurns} turns`, maxTurns }))
    return true
  }

  #onInactive(): void {
    const event = this.#adapter?.onTimeout?.()
    // The adapter's own words come first, as a note: the one terminal event of this run is `timeout`.
    if (event) this.#translator.emit('recoverable' in event ? { ...event, recoverable: true } : event)
    void this.#endAs('inactivity')
  }

  #onSpawnError(adapter: AgentAdapter, error: Error): void {
    const event = adapter.onSpawnError?.(error) ?? { type: 'crash' as const, exitCode: -1, stderr: error.message }
    this.#failure = { event, outcome: { kind: 'crashed', evidence: `could not be started: ${error.message}` } }
  }

  /** In a run that stays open a failed turn is news, not the end. */
  #reportAndStay({ outcome }: TurnFailure): void {
    const message = outcome.evidence ?? outcome.kind
    this.#translator.emit({
      type: 'error',
      code: errorCodeOfOutcome(outcome) ?? 'INTERNAL',
      message,
      recoverable: true,
    })
  }

  #reportOversized(bytes: number, source: StreamSource): void {
    const message = `A line of ${bytes} bytes on ${source} was cut: it is longer than any record should be`
    this.#translator.emit({ type: 'error', code: 'PARSE_ERROR', message, recoverable: true })
  }

  #ending({ exitCode, signal, stderr }: ProcessEnd): Ending {
    const pending = this.interactions.pending
    const descriptions = (type: string) => pending.filter((one) => one.type === type).map((one) => one.description)
    const interrupted = this.#wasInterrupted && (this.#failure === null || this.#failure.outcome.kind === 'cancelled')
    return {
      stop: this.#stop ?? (interrupted ? 'interrupted' : null),
      failure: this.#failure,
      deniedTools: this.#translator.normaliser.totals.deniedTools,
      openQuestions: [...this.#responder.refusedQuestions, ...descriptions('input')],
      openApprovals: descriptions('approval'),
      exitCode,
      signal,
      stderr,
      endedByUs: this.#isClosing,
    }
  }

  #assertActive(): void {
    if (!this.isActive) throw new AgentMuxError('RUN_NOT_ACTIVE', `This run has ended (${this.state})`)
  }

  #wrongState(action: string): AgentMuxError {
    return new AgentMuxError('INVALID_STATE_TRANSITION', `Cannot ${action} a run that is ${this.state}`)
  }
}
