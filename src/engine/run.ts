import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { Effect, TurnFailure } from '../contract/dialogue.ts'
import { type AgentMuxError, isAgentMuxError } from '../contract/errors.ts'
import type { OutputSchema } from '../contract/output-schema.ts'
import { RUN_DEFAULTS } from '../contract/run-defaults.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import type { PriceOf } from '../core/prices.ts'
import { RETRY_DEFAULTS } from '../core/retry.ts'
import { within } from '../core/within.ts'
import { here } from '../process/here.ts'
import type { Place } from '../process/place.ts'
import { abortFailure, givenReason } from './abort-reason.ts'
import { spawnFailure } from './adapter-hooks.ts'
import type { ProcessEnd } from './agent-process.ts'
import { Attempt } from './attempt.ts'
import { createDialogue } from './default-dialogue.ts'
import type { StopReason, Verdict } from './outcome.ts'
import type { OutputGuard } from './output-guard.ts'
import { priorTurns } from './prior-turns.ts'
import { buildResult } from './result.ts'
import { optionsForRetry, retryDelayFor } from './retry-decision.ts'
import { finalState, type RunEnding } from './run-ending.ts'
import { RunEvents, type RunFace, type RunIdentity, type RunPort } from './run-events.ts'
import type { RunClosing } from './run-input.ts'
import { spawnArgsOf } from './spawn-args-of.ts'
import { type OpenUsage, openUsageWatch } from './usage-watch.ts'

export interface RunRequest extends RunIdentity {
  loadAdapter: () => Promise<AgentAdapter>
  /** The options with what has to be looked up first. What it rejects with is the end of the run. */
  resolveOptions?: (options: RunOptions) => Promise<RunOptions>
  processEnv: Readonly<Record<string, string | undefined>>
  /** Where the agent runs; this machine unless something else is said. */
  place?: Place
  /** As the caller gave it; in the options it is a JSON schema. */
  outputSchema?: OutputSchema
  /** Things the caller should know, shown as `debug` events at the start. */
  notices: readonly string[]
  /** One more that takes a moment to find out; null when there is nothing to say. The agent does not wait for it. */
  lateNotice?: (adapter: AgentAdapter) => Promise<string | null>
  /** What the agent writes down about its usage, for one that reports it late; null where that is not known. */
  openUsage?: OpenUsage
  /** List prices, for what the agent does not report. */
  priceOf?: PriceOf
  onResult?: (result: RunResult) => Promise<void>
}

async function openGuard(schema: OutputSchema): Promise<OutputGuard> {
  const { OutputGuard } = await import('./output-guard.ts')
  return new OutputGuard(schema)
}

/** How long a run that is over waits for a late notice. */
const NOTICE_MS = 1_000

const NO_PROCESS: ProcessEnd = { exitCode: null, signal: null, stderr: '' }

/**
 * One run from spawn to result: tries the agent, as often as the policy allows, and says how it ended. What the agent
 * says goes through `events`; `RunHandle` is the public face.
 */
export class Run implements RunPort {
  readonly events: RunEvents
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
  #lateNotice: Promise<void> = Promise.resolve()

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

  get ending(): RunEnding {
    return this.events.ending
  }

  get model(): string | null {
    return this.events.translator.model
  }

  /** Ends the run, unless it is ending already. Resolves when its processes are gone. */
  async endAs(reason: StopReason, effects: readonly Effect[] = []): Promise<void> {
    if (!this.events.conversation.isActive || this.ending.isStopped) return
    this.#stop(reason, effects)
    this.#cancelWait.abort()
    const { attempt } = this
    if (!attempt) return
    if (reason === 'budget' || reason === 'turn_limit') await attempt.end(await this.events.windDown(attempt))
    else {
      await this.events.calmDown(attempt)
      await attempt.end()
    }
  }

  #stop(reason: StopReason, effects: readonly Effect[] = []): void {
    const failure = effects.find((effect) => 'fail' in effect)?.fail ?? null
    this.events.take({ kind: 'stop', reason, failure })
  }

  /** The reason that the caller gave, if any. */
  get #abortReason(): unknown {
    return givenReason(this.#abortSignals.find(({ aborted }) => aborted))
  }

  #abortEffects(): Effect[] {
    const reason = this.#abortReason
    return reason === undefined ? [] : [{ fail: abortFailure(reason) }]
  }

  async #drive(): Promise<RunResult> {
    const { options, loadAdapter, notices } = this.#request
    const onAbort = () => void this.endAs('aborted', this.#abortEffects())
    for (const signal of this.#abortSignals) signal.addEventListener('abort', onAbort, { once: true })
    if (this.#abortSignals.some(({ aborted }) => aborted)) this.#stop('aborted', this.#abortEffects())
    let timer: NodeJS.Timeout | undefined
    try {
      const adapter = await loadAdapter()
      this.adapter = adapter
      const unresolved = await this.#resolve()
      if (unresolved) return this.#failBefore(adapter, unresolved)
      const args = spawnArgsOf(adapter, options)
      const timeout = options.timeout ?? args.timeout ?? 0
      if (timeout > 0) timer = setTimeout(() => void this.endAs('timeout'), timeout)
      for (const message of notices) this.events.warn(message)
      this.#lateNotice = this.#findNotice(adapter)
      const count = await priorTurns(this.#request, args)
      if (count !== null) this.events.take({ kind: 'prior_turns', count })
      const schema = this.#request.outputSchema ?? options.outputSchema
      if (schema) this.events.output.guard = await openGuard(schema)
      this.events.spending.watch = await openUsageWatch(this.#request, adapter, args, this.events, this)
      return await this.#attempts(adapter, options, args)
    } finally {
      clearTimeout(timer)
      this.events.spending.watch?.stop()
      for (const signal of this.#abortSignals) signal.removeEventListener('abort', onAbort)
    }
  }

  /** Fills in the options, which are the run's own. Returns what is wrong with them. */
  async #resolve(): Promise<AgentMuxError | null> {
    const { options, resolveOptions } = this.#request
    try {
      Object.assign(options, await resolveOptions?.(options))
      return null
    } catch (error) {
      if (isAgentMuxError(error)) return error
      throw error
    }
  }

  /** The end of a run whose agent was never started. */
  #failBefore(adapter: AgentAdapter, error: AgentMuxError): Promise<RunResult> {
    this.#fail(spawnFailure(adapter, error))
    const closing = this.#closing(NO_PROCESS)
    return this.#finish(closing, this.ending.judge(closing, this.events.totals))
  }

  async #findNotice(adapter: AgentAdapter): Promise<void> {
    const notice = await this.#request.lateNotice?.(adapter).catch(() => null)
    if (notice != null && this.events.conversation.isActive) this.events.warn(notice)
  }

  async #attempts(adapter: AgentAdapter, given: RunOptions, first: SpawnArgs): Promise<RunResult> {
    let [options, args] = [given, first]
    for (let attempt = 0; ; attempt++) {
      const exit = await this.#attemptOnce(adapter, options, args)
      if (exit.exitCode === 0 || this.events.conversation.isClosing) await this.events.output.done()
      const closing = this.#closing(exit)
      const verdict = this.ending.judge(closing, this.events.totals)
      const delayMs = this.#retryDelay(adapter, verdict, exit, attempt)
      if (delayMs === null) {
        if (!this.ending.isStopped) await within(NOTICE_MS, this.#lateNotice)
        return this.#finish(closing, verdict)
      }
      const maxAttempts = this.#request.options.retryPolicy?.maxRetries ?? RETRY_DEFAULTS.maxRetries
      const reason = verdict.error?.message ?? verdict.outcome.kind
      // What the process that is gone has asked, nobody can answer any more.
      this.events.responder.reset()
      this.#cancelWait = new AbortController()
      this.events.take({ kind: 'retry', attempt: attempt + 1, maxAttempts, reason, delayMs })
      await sleep(delayMs, undefined, { signal: this.#cancelWait.signal }).catch(() => undefined)
      const again = optionsForRetry(options, this.events.totals.sessionId)
      if (again === options) continue
      this.events.warn(
        `The session ${options.newSessionId} is taken by the attempt that failed: a new one gets its own id`,
      )
      options = again
      args = spawnArgsOf(adapter, again)
    }
  }

  #retryDelay(adapter: AgentAdapter, verdict: Verdict, { spawnError }: ProcessEnd, attempt: number): number | null {
    const { runId, agent, options } = this.#request
    const policy = options.retryPolicy
    // A new process gets the prompt of the run; what was said to the old one after it would be lost.
    if (!this.ending.allowsRetry || this.events.conversation.hasSentTurns) return null
    if (spawnError && !policy?.retryOn?.includes('SPAWN_ERROR')) return null
    const isTransient = this.ending.isTransient(verdict)
    const { retryMaxWaitMs: maxWaitMs = RUN_DEFAULTS.retryMaxWaitMs } = options
    return retryDelayFor({ adapter, verdict, isTransient, attempt, policy, maxWaitMs, runId, agent })
  }

  async #attemptOnce(adapter: AgentAdapter, options: RunOptions, args: SpawnArgs): Promise<ProcessEnd> {
    if (this.ending.isStopped) return NO_PROCESS
    const { runId, processEnv, place = here } = this.#request
    const { events, ending } = this
    const stdinIsOpen = !(args.closeStdinAfterSpawn ?? args.stdin !== undefined)
    const dialogue = createDialogue(adapter, options, runId, stdinIsOpen, events.translator.normaliser)
    let attempt: Attempt
    try {
      attempt = await Attempt.start({ runId, adapter, args, options, processEnv, dialogue, place }, events)
    } catch (error) {
      const spawnError = error instanceof Error ? error : new Error(String(error))
      this.#fail(spawnFailure(adapter, spawnError))
      return { ...NO_PROCESS, spawnError }
    }
    this.attempt = attempt
    if (attempt.pid !== undefined) this.#request.tap?.spawned?.(attempt.pid)
    events.conversation.attach(attempt)
    if (ending.isStopped) void attempt.end()
    events.start(dialogue, options, stdinIsOpen)
    this.#onStarted()
    const exit = await attempt.closed
    await events.spending.catchUp()
    this.attempt = null
    events.detached()
    if (exit.spawnError) this.#fail(spawnFailure(adapter, exit.spawnError))
    else if (!ending.isStopped) events.take({ kind: 'exit', exit })
    return exit
  }

  #fail(failure: TurnFailure): void {
    this.events.take({ kind: 'fail', failure })
  }

  #closing(exit: ProcessEnd): RunClosing {
    const { isClosing } = this.events.conversation
    const { refusedQuestions, interactions } = this.events.responder
    const { pending } = interactions
    return this.ending.closing({ exit, isClosing, refusedQuestions, pending })
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
      ...(closing.stop === 'aborted' ? { cause: this.#abortReason } : {}),
    })
    await onResult?.(result).catch(() => undefined) // the index is a convenience; the run is what counts
    hub.end()
    return result
  }
}
