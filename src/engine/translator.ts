import type { Dialogue, Effect, HostRequest, HttpRequest, TurnFailure } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent, RetryEvent, StreamSource } from '../contract/events.ts'
import type { QuotaStatus, QuotaWindow } from '../contract/quota.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { datedDraft, datedFailure } from '../core/limit-end.ts'
import { quotaStatus } from '../core/quota.ts'
import { Normaliser, type Place } from './normaliser.ts'
import { outcomeOfEvent, type Verdict } from './outcome.ts'
import type { Reaction, RunEnding } from './run-ending.ts'
import type { UsageDraft } from './run-input.ts'
import { UsageLedger } from './usage-ledger.ts'

export type RetryNotice = Pick<RetryEvent, 'attempt' | 'maxAttempts' | 'reason' | 'delayMs'>

/** What a run does with the effects of its dialogue. */
export interface EffectHandler {
  onEvent(event: AgentEvent): void
  onWrite(line: string, afterUsage?: true): void
  onCloseStdin(): void
  onFailure(failure: TurnFailure, reaction: Reaction): void
  onHost(requestId: string, request: HostRequest): void
  onHttp(request: HttpRequest): void
  onEndProcess(): void
  onMayBeOver(isOver: boolean): void
  onLimited?(): void
  onQuota?(status: QuotaStatus): void
}

export interface TranslatorOptions {
  runId: string
  options: RunOptions
  now: () => number
  ending: RunEnding
  /** False for a recording, which does not say when it was made: what a time of day means there, nobody knows. */
  timeIsKnown?: boolean
}

/** Lines in, normalised events out: what a live run and the replay of a recording have in common. */
export class Translator {
  readonly normaliser: Normaliser
  readonly unrecognized: Record<string, number> = {}
  ledger = new UsageLedger()
  structuredOutput: unknown
  model: string | null
  quota: QuotaStatus | undefined
  readonly #options: TranslatorOptions
  readonly #debug: boolean
  readonly #handler: EffectHandler
  readonly #out: AgentEvent[] = []
  #isFlushing = false

  constructor(translatorOptions: TranslatorOptions, handler: EffectHandler) {
    const { runId, options, now } = translatorOptions
    this.#options = translatorOptions
    const { agent = '', stream, sessionId, keepOpen: staysOpen } = options
    const retries = options.retryPolicy !== undefined
    this.normaliser = new Normaliser({ runId, agent, now, stream: stream !== false, sessionId, staysOpen, retries })
    this.model = options.model ?? null
    this.#debug = options.debug ?? false
    this.#handler = handler
  }

  line(dialogue: Dialogue, line: string, source: StreamSource): void {
    this.apply(dialogue.onLine(line, source), line, source)
  }

  apply(given: readonly Effect[], line?: string, source?: StreamSource): void {
    const effects = given.map((effect) => this.#dated(effect))
    // Some adapters report the end of a turn before its failure.
    for (const effect of effects) {
      if ('fail' in effect) this.normaliser.noteFailure(effect.fail.outcome)
      else if ('emit' in effect && isTerminalEvent(effect.emit))
        this.normaliser.noteFailure(outcomeOfEvent(effect.emit))
    }
    for (const effect of effects) {
      if ('emit' in effect) {
        const draft = this.#debug && line !== undefined ? { raw: line, ...effect.emit } : effect.emit
        // A terminal event is a verdict, shown once the run has really ended.
        if (isTerminalEvent(draft)) {
          this.fail({ event: draft, outcome: outcomeOfEvent(draft) })
        } else if (draft.type === 'token_usage') this.#report(draft)
        else {
          if (draft.type === 'turn_end') this.ledger.settle()
          this.emit(draft, effect.isLate ? 'late' : source === 'stderr' ? 'aside' : 'inline')
        }
      } else if ('unrecognized' in effect) {
        this.unrecognized[effect.unrecognized] = (this.unrecognized[effect.unrecognized] ?? 0) + 1
        if (this.#debug && line !== undefined) this.emit({ type: 'log', source: source ?? 'stdout', line })
      } else if ('write' in effect) this.#handler.onWrite(effect.write, effect.afterUsage)
      else if ('closeStdin' in effect) this.#handler.onCloseStdin()
      else if ('fail' in effect) this.fail(effect.fail)
      else if ('model' in effect) this.model = effect.model
      else if ('host' in effect) this.#handler.onHost(effect.host.requestId, effect.host.request)
      else if ('http' in effect) this.#handler.onHttp(effect.http)
      else if ('endProcess' in effect) this.#handler.onEndProcess()
      else if ('mayBeOver' in effect) this.#handler.onMayBeOver(effect.mayBeOver)
      else if ('limited' in effect) {
        this.normaliser.totals.retrying = { kind: 'rate_limit', ...effect.limited, isTryingAgain: true }
        this.#handler.onLimited?.()
      } else if ('quota' in effect) this.#noteQuota(effect.quota)
      else if ('answer' in effect) this.#settleAnswer(effect.answer)
      else this.structuredOutput = effect.structuredOutput
    }
  }

  /** What a failure means is decided here, for the live run as for its recovery; the handler only carries it out. */
  fail(failure: TurnFailure): void {
    this.#handler.onFailure(failure, this.#options.ending.failed(failure))
  }

  /** Dialogues have no clock: a limit that they know until a time of day gets its date here. */
  #dated(effect: Effect): Effect {
    if (this.#options.timeIsKnown === false) return effect
    if ('fail' in effect) return { fail: datedFailure(effect.fail, this.#options.now()) }
    return 'emit' in effect && effect.emit.type === 'rate_limit_error'
      ? { emit: datedDraft(effect.emit, this.#options.now()) }
      : effect
  }

  emit(draft: AgentEventDraft, place: Place = 'inline'): void {
    if (draft.type === 'attempt_withdrawn' && draft.scope === 'run') this.structuredOutput = undefined
    this.normaliser.accept(draft, this.#out, place)
    this.#flush()
  }

  /** Usage that was found in the agent's own store: the agent may report it later, or has done so. */
  see(draft: UsageDraft): void {
    const more = this.ledger.see(draft)
    if (more.inputTokens + more.outputTokens > 0) this.emit({ ...draft, ...more })
  }

  #report(draft: UsageDraft): void {
    const more = this.ledger.report(draft)
    if (more === null) this.emit(draft)
    else if (draft.costUsd !== undefined || more.inputTokens + more.outputTokens > 0) this.emit({ ...draft, ...more })
  }

  /** The agent is to be started again: nothing of the attempt that failed counts but what it has cost. */
  retry({ attempt, reason, ...rest }: RetryNotice): void {
    this.emit({ type: 'attempt_withdrawn', attempt, reason, scope: 'run', text: '', toolCallIds: [] })
    this.emit({ type: 'retry', attempt, reason, ...rest })
    this.ledger = new UsageLedger()
    // It is we who try again, not the agent.
    this.normaliser.totals.retrying = null
  }

  finish({ terminal, outcome }: Pick<Verdict, 'terminal' | 'outcome'>): void {
    if (outcome.kind !== 'completed') this.normaliser.noteFailure(outcome)
    this.normaliser.finish(terminal, this.#out)
    this.#flush()
  }

  #settleAnswer(answer: string): void {
    this.normaliser.settleAnswer(answer, this.#out)
    this.#flush()
  }

  #noteQuota(windows: readonly QuotaWindow[]): void {
    const { now, options } = this.#options
    const isNew = ({ windowType }: QuotaWindow) => windows.every((one) => one.windowType !== windowType)
    const known = (this.quota?.windows ?? []).filter(isNew)
    this.quota = quotaStatus(options.agent ?? '', [...known, ...windows], now(), 'run')
    this.#handler.onQuota?.(this.quota)
  }

  #flush(): void {
    // A handler may emit in turn (a listener that sends); what it adds comes after what is already there.
    if (this.#isFlushing) return
    this.#isFlushing = true
    for (let event = this.#out.shift(); event !== undefined; event = this.#out.shift()) {
      if (event.type === 'turn_start') this.#options.ending.turnStarted()
      this.#handler.onEvent(event)
    }
    this.#isFlushing = false
  }
}
