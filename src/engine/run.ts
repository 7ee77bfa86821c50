import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { Effect, TurnFailure } from '../contract/dialogue.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import type { PriceOf } from '../core/prices.ts'
import { RETRY_DEFAULTS } from '../core/retry.ts'
import { spawnFailure } from './adapter-hooks.ts'
import type { ProcessEnd } from './agent-process.ts'
import { Attempt } from './attempt.ts'
import { createDialogue } from './default-dialogue.ts'
import type { StopReason, Verdict } from './outcome.ts'
import { buildResult } from './result.ts'
import { retryDelayFor } from './retry-decision.ts'
import { finalState, RunEnding } from './run-ending.ts'
import { RunEvents, type RunFace, type RunIdentity, type RunPort } from './run-events.ts'
import type { RunClosing } from './run-input.ts'

export interface RunRequest extends RunIdentity {
  loadAdapter: () => Promise<AgentAdapter>
  processEnv: Readonly<Record<string, string | undefined>>
  /** Things the caller should know, shown as `debug` events at the start. */
  notices: readonly string[]
  /** List prices, for what the agent does not tell. */
  priceOf?: PriceOf
  onResult?: (result: RunResult) => Promise<void>
}

const NO_PROCESS: ProcessEnd = { exitCode: null, signal: null, stderr: '' }

/**
 * One run from spawn to result: tries the agent, as often as the policy allows, and says how it ended. What the agent
 * says goes through `events`; `RunHandle` is the public face.
 */
export class Run implements RunPort {
  readonly events: RunEvents
  readonly ending = new RunEnding()
  /** Resolves when the agent can be talked to, or when the run has ended without it. */
  readonly started: Promise<void>
  readonly result: Promise<RunResult>
  adapter: AgentAdapter | null = null
  attempt: Attempt | null = null
  readonly #request: RunRequest
  readonly #abortSignals: readonly AbortSignal[]
  readonly #startedAt = Date.now()
  #onStarted: () => void = () => {}
  #cancelWait = new AbortController()

  constructor(request: RunRequest, face: RunFace) {
    this.#request = request
    this.#abortSignals = [face.abort, ...(request.options.signal ? [request.options.signal] : [])]
    this.events = new RunEvents(request, face, this)
    if (request.priceOf) this.events.totals.priceOf = request.priceOf
    this.started = new Promise((resolve) => {
      this.#onStarted = resolve
    })
    this.result = this.#drive().finally(() => this.#onStarted())
    this.result.catch(() => {
      this.events.conversation.state = 'crashed'
    })
  }

  get model(): string | null {
    return this.events.translator.model
  }

  /** Ends the run, unless it is ending already. Resolves when its processes are gone. */
  async endAs(reason: StopReason, effects: readonly Effect[] = []): Promise<void> {
    if (!this.events.conversation.isActive || this.ending.isStopped) return
    this.#stop(reason, effects)
    this.#cancelWait.abort()
    await this.attempt?.end()
  }

  #stop(reason: StopReason, effects: readonly Effect[] = []): void {
    const failure = effects.find((effect) => 'fail' in effect)?.fail ?? null
    this.ending.stop(reason, failure)
    this.events.take({ kind: 'stop', reason, failure })
  }

  async #drive(): Promise<RunResult> {
    const { options, loadAdapter, notices } = this.#request
    const onAbort = () => void this.endAs('aborted')
    for (const signal of this.#abortSignals) signal.addEventListener('abort', onAbort, { once: true })
    if (this.#abortSignals.some(({ aborted }) => aborted)) this.#stop('aborted')
    let timer: NodeJS.Timeout | undefined
    try {
      const adapter = await loadAdapter()
      this.adapter = adapter
      const args = adapter.buildSpawnArgs(options)
      const timeout = options.timeout ?? args.timeout ?? 0
      if (timeout > 0) timer = setTimeout(() => void this.endAs('timeout'), timeout)
      for (const message of notices) this.events.warn(message)
      return await this.#attempts(adapter, args)
    } finally {
      clearTimeout(timer)
      for (const signal of this.#abortSignals) signal.removeEventListener('abort', onAbort)
    }
  }

  async #attempts(adapter: AgentAdapter, args: SpawnArgs): Promise<RunResult> {
    for (let attempt = 0; ; attempt++) {
      const exit = await this.#attemptOnce(adapter, args)
      const closing = this.#closing(exit)
      const verdict = this.ending.judge(closing, this.events.totals)
      const delayMs = this.#retryDelay(adapter, verdict, exit, attempt)
      if (delayMs === null) return this.#finish(closing, verdict)
      const maxAttempts = this.#request.options.retryPolicy?.maxRetries ?? RETRY_DEFAULTS.maxRetries
      const reason = verdict.error?.message ?? verdict.outcome.kind
      // What the process that is gone has asked, nobody can answer any more.
      this.events.responder.reset()
      this.ending.newAttempt()
      this.#cancelWait = new AbortController()
      this.events.interpreter.emit({ type: 'retry', attempt: attempt + 1, maxAttempts, reason, delayMs })
      await sleep(delayMs, undefined, { signal: this.#cancelWait.signal }).catch(() => undefined)
    }
  }

  #retryDelay(adapter: AgentAdapter, verdict: Verdict, { spawnError }: ProcessEnd, attempt: number): number | null {
    const { runId, agent, options } = this.#request
    const policy = options.retryPolicy
    if (!this.ending.allowsRetry || (spawnError && !policy?.retryOn?.includes('SPAWN_ERROR'))) return null
    const isTransient = this.ending.hasTransientFailure
    return retryDelayFor({ adapter, verdict, isTransient, attempt, policy, runId, agent })
  }

  async #attemptOnce(adapter: AgentAdapter, args: SpawnArgs): Promise<ProcessEnd> {
    if (this.ending.isStopped) return NO_PROCESS
    const { runId, options, processEnv } = this.#request
    const { events, ending } = this
    const stdinIsOpen = !(args.closeStdinAfterSpawn ?? args.stdin !== undefined)
    const dialogue = createDialogue(adapter, options, runId, stdinIsOpen, events.translator.normaliser)
    let attempt: Attempt
    try {
      attempt = await Attempt.start({ runId, adapter, args, options, processEnv, dialogue }, events)
    } catch (error) {
      const spawnError = error instanceof Error ? error : new Error(String(error))
      this.#fail(spawnFailure(adapter, spawnError))
      return { ...NO_PROCESS, spawnError }
    }
    this.attempt = attempt
    if (attempt.pid !== undefined) this.#request.tap?.spawned?.(attempt.pid)
    events.conversation.attach(attempt)
    if (ending.isStopped) void attempt.end()
    events.start(dialogue, stdinIsOpen)
    this.#onStarted()
    const exit = await attempt.closed
    this.attempt = null
    events.conversation.detach()
    if (exit.spawnError) this.#fail(spawnFailure(adapter, exit.spawnError))
    else if (!ending.isStopped) events.take({ kind: 'exit', exit })
    return exit
  }

  #fail(failure: TurnFailure): void {
    this.ending.fail(failure)
    this.events.take({ kind: 'fail', failure })
  }

  #closing(exit: ProcessEnd): RunClosing {
    const { wasInterrupted, isClosing } = this.events.conversation
    const { refusedQuestions, interactions } = this.events.responder
    const { pending } = interactions
    return this.ending.closing({ exit, wasInterrupted, isClosing, refusedQuestions, pending })
  }

  async #finish(closing: RunClosing, verdict: Verdict): Promise<RunResult> {
    const { runId, agent, options, onResult } = this.#request
    const { conversation, responder, translator, totals, hub } = this.events
    conversation.state = finalState(verdict)
    responder.reset()
    this.events.closingRemarks()
    const durationMs = Date.now() - this.#startedAt
    this.events.take({ kind: 'finish', closing, verdict, durationMs })
    const { model, structuredOutput, quota, unrecognized } = translator
    const result = buildResult({
      ...{ runId, agent, totals, verdict, exit: closing, model, structuredOutput, quota, unrecognized },
      models: this.adapter?.models ?? [],
      durationMs,
      events: hub.collected,
      tags: options.tags ?? [],
    })
    await onResult?.(result).catch(() => undefined) // the index is a convenience; the run is what counts
    hub.end()
    return result
  }
}
