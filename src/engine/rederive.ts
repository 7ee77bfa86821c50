import type { AgentAdapter } from '../contract/adapter.ts'
import type { DialogueExit } from '../contract/dialogue.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { PriceOf } from '../core/prices.ts'
import { createDialogue } from './default-dialogue.ts'
import { Interpreter, type InterpreterHandler, type StartNotes } from './interpreter.ts'
import type { Verdict } from './outcome.ts'
import { buildResult } from './result.ts'
import { optionsForRetry } from './retry-decision.ts'
import type { RunEnding } from './run-ending.ts'
import type { RunClosing, RunInput } from './run-input.ts'
import type { RunTotals } from './run-totals.ts'

/** An input of a run as it was kept. */
export interface KeptInput {
  n: number
  time: number
  input: RunInput
  /** It came while input `n` was being interpreted and there were so many events. */
  during?: { n: number; events: number }
}

export interface RederiveOptions {
  runId: string
  adapter: AgentAdapter
  options: RunOptions
  /** `n` is the input that it came of. */
  onEvent: (event: AgentEvent, n: number) => void
  /** For the cost of a run whose end is lost; without prices, what the run itself has reported. */
  priceOf?: PriceOf
  /** Says again how the run ended, from what today's adapter makes of it, instead of repeating what was said then. */
  judgesAgain?: boolean
  /** See `TranslatorOptions`. */
  timeIsKnown?: boolean
}

/** Makes the events of a run again from its inputs: all of them, or as far as they go. */
export class Rederivation implements InterpreterHandler {
  readonly #request: RederiveOptions
  readonly #interpreter: Interpreter
  #time = 0
  #nested: readonly KeptInput[] = []
  #nestedTaken = 0
  #current = 0
  #attempts = 0
  #options: RunOptions
  /** How the agent's process ended, until another one is started. */
  #exit: DialogueExit | null = null
  #closing: RunClosing | null = null
  #verdict: Verdict | null = null
  #durationMs = 0
  #startedAt: number | null = null

  constructor(request: RederiveOptions) {
    this.#request = request
    this.#options = request.options
    const tap = { inputs: () => this.#time, settled: () => {} }
    this.#interpreter = new Interpreter({ ...request, tap }, this)
    if (request.priceOf) this.totals.priceOf = request.priceOf
  }

  get ending(): RunEnding {
    return this.#interpreter.ending
  }

  get totals(): RunTotals {
    return this.#interpreter.translator.normaliser.totals
  }

  get isFinished(): boolean {
    return this.#verdict !== null
  }

  /** Inputs that were kept together, and those that came while they were interpreted. */
  take(inputs: readonly KeptInput[], nested: readonly KeptInput[]): void {
    this.#nested = nested
    this.#nestedTaken = 0
    for (const kept of inputs) {
      this.#current = kept.n
      this.#time = kept.time
      this.#startedAt ??= kept.time
      this.#interpret(kept.input)
      // With another adapter the moment may not have come.
      while (this.#next?.during?.n === kept.n) this.#takeNested(this.#next)
    }
  }

  /** The input that is missing where they end before the run does, because the process that drove it is gone. */
  lostEnding(reason: string, time: number): RunInput {
    const exit = this.#exit ?? { exitCode: null, signal: null, stderr: reason }
    const { openQuestions, openApprovals } = this.totals
    const open = { openQuestions: [...openQuestions.values()], openApprovals: [...openApprovals.values()] }
    const closing = this.ending.lostClosing(exit, open)
    const verdict = this.#exit ? this.ending.judge(closing, this.totals) : lostVerdict(reason)
    return { kind: 'finish', closing, verdict, durationMs: time - (this.#startedAt ?? time) }
  }

  /** Null before the end. */
  result(): RunResult | null {
    if (!this.#verdict || !this.#closing) return null
    const { runId, adapter, options } = this.#request
    const { model, structuredOutput, quota, unrecognized } = this.#interpreter.translator
    return buildResult({
      ...{ runId, agent: adapter.agent, totals: this.totals, models: adapter.models },
      ...{ model, structuredOutput, quota, unrecognized, verdict: this.#verdict, exit: this.#closing },
      ...{ durationMs: this.#durationMs, events: [], tags: options.tags ?? [] },
    })
  }

  #interpret(input: RunInput): void {
    const judges = this.#request.judgesAgain
    if (input.kind === 'start') this.#start(input)
    else if (input.kind === 'line') this.#interpreter.lines([input.line], input.source, () => {})
    else if (input.kind === 'command') this.#interpreter.command(input.command, input)
    else if (input.kind === 'finish') this.#finish(judges ? this.#judged(input) : input)
    else {
      if (input.kind === 'exit') this.#exit = input.exit
      this.#interpreter.take(input)
    }
  }

  #start(input: StartNotes): void {
    const { adapter, runId } = this.#request
    const { normaliser } = this.#interpreter.translator
    if (this.#attempts > 0) this.#options = optionsForRetry(this.#options, normaliser.totals.sessionId)
    const options = this.#options
    this.#attempts += 1
    this.#exit = null
    this.#interpreter.start(createDialogue(adapter, options, runId, input.stdinIsOpen, normaliser), options, input)
  }

  #finish(input: RunInput & { kind: 'finish' }): void {
    this.#closing = input.closing
    this.#verdict = input.verdict
    this.#durationMs = input.durationMs
    this.#interpreter.take(input)
  }

  #judged<T extends RunInput & { kind: 'finish' }>(input: T): T {
    return { ...input, verdict: this.ending.judge(input.closing, this.totals) }
  }

  get #next(): KeptInput | undefined {
    return this.#nested[this.#nestedTaken]
  }

  #takeNested(next: KeptInput): void {
    this.#nestedTaken += 1
    this.#interpret(next.input)
  }

  /** Called wherever the live run could have been given something in the middle of an input. */
  #catchUp(): void {
    for (let next = this.#next; next?.during; next = this.#next) {
      if (next.during.n !== this.#current || next.during.events > this.totals.eventCount) return
      this.#takeNested(next)
    }
  }

  onEvent(event: AgentEvent): void {
    this.#request.onEvent(event, this.#current)
    this.#catchUp()
  }

  onFailure(): void {
    this.#catchUp()
  }

  onWrite(): void {
    this.#catchUp()
  }

  onCloseStdin(): void {
    this.#catchUp()
  }

  onHost(): void {
    this.#catchUp()
  }

  onHttp(): void {
    this.#catchUp()
  }

  onEndProcess(): void {
    this.#catchUp()
  }

  onMayBeOver(): void {}

  onTapFailure(): void {} // there is nothing that could fail
}

function lostVerdict(reason: string): Verdict {
  return {
    outcome: { kind: 'crashed', evidence: reason },
    exitReason: 'killed',
    terminal: { type: 'crash', exitCode: -1, stderr: reason },
    error: { code: 'AGENT_CRASH', message: reason },
  }
}
