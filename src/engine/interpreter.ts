import type { Dialogue, DialogueCommand } from '../contract/dialogue.ts'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { StreamSource } from '../contract/events.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { outcomeOfStop } from './outcome.ts'
import { RunEnding } from './run-ending.ts'
import type { InputPosition, RunInput, RunTap } from './run-input.ts'
import { type EffectHandler, Translator } from './translator.ts'

export interface InterpreterOptions {
  runId: string
  options: RunOptions
  tap?: RunTap
  /** See `TranslatorOptions`. */
  timeIsKnown?: boolean
}

export type StartNotes = Omit<RunInput & { kind: 'start' }, 'kind'>

/** What may come between a command and its effects. */
export interface CommandNotes {
  /** The command asks for a new turn. */
  isTurn?: boolean
  event?: AgentEventDraft | null
  isOurs?: true
  /** The dialogue takes the command; its effects are still to come. */
  onAccepted?: () => void
}

export interface InterpreterHandler extends EffectHandler {
  /** An input could not be kept, so that nothing is interpreted any more. */
  onTapFailure(error: unknown): void
}

/**
 * The part of a run that is a function of its inputs: dialogue, translator, ending and their clock. Shows every input to the
 * tap first, if there is one; the clock then stops between inputs, so that a replay gives the same times.
 */
export class Interpreter {
  readonly translator: Translator
  readonly ending: RunEnding
  readonly #handler: InterpreterHandler
  readonly #tap: RunTap | undefined
  #dialogue: Dialogue | null = null
  #now = 0
  /** How many inputs are being interpreted, one inside the other. */
  #depth = 0
  #index = 0
  #isBroken = false

  constructor({ runId, options, tap, timeIsKnown }: InterpreterOptions, handler: InterpreterHandler) {
    this.#tap = tap
    this.#handler = handler
    this.ending = new RunEnding(options)
    const now = tap ? () => this.#now : Date.now
    this.translator = new Translator({ runId, options, now, timeIsKnown, ending: this.ending }, handler)
  }

  /** Which of the lines that came together is being interpreted. */
  get index(): number {
    return this.#index
  }

  start(dialogue: Dialogue, options: RunOptions, { stdinIsOpen, isRecorded }: StartNotes): void {
    this.#take({ kind: 'start', stdinIsOpen, ...(isRecorded && { isRecorded }) }, () => {
      // Of an attempt that was ended by force; it was paid for.
      this.translator.apply(this.#dialogue?.unreportedUsage?.() ?? [])
      this.#dialogue = dialogue
      if (!isRecorded) this.translator.apply(dialogue.start(options))
    })
  }

  /** The lines of one chunk are kept together. `afterLine` takes up what a line has led to. */
  lines(lines: readonly string[], source: StreamSource, afterLine: () => void): void {
    const dialogue = this.#dialogue
    if (!dialogue || lines.length === 0) return
    if (this.#tap && !this.#keep(lines.map((line) => ({ kind: 'line', source, line })))) return
    this.#depth += 1
    try {
      for (const line of lines) {
        this.translator.line(dialogue, line, source)
        afterLine()
        this.#index += 1
      }
    } finally {
      this.#settle()
    }
  }

  /** False: the dialogue does not know such a command. */
  command(command: DialogueCommand, { isTurn = false, event = null, isOurs, onAccepted }: CommandNotes = {}): boolean {
    let isKnown = false
    this.#take({ kind: 'command', command, isTurn, event, ...(isOurs && { isOurs }) }, () => {
      const effects = this.#dialogue?.onCommand(command) ?? null
      if (effects === null) return
      isKnown = true
      this.ending.accepted(command, isTurn)
      onAccepted?.()
      if (isTurn) {
        this.translator.normaliser.expectTurn()
        this.translator.structuredOutput = undefined
      }
      if (command.type === 'answer') this.translator.normaliser.noteAnswer(command.interactionId)
      if (command.type === 'interrupt') this.translator.normaliser.noteInterrupt()
      if (command.type === 'set_model') this.translator.model = command.model
      if (event) this.translator.emit(event)
      this.translator.apply(effects)
    })
    return isKnown
  }

  /** Everything else that can happen. */
  take(input: Exclude<RunInput, { kind: 'start' | 'line' | 'command' }>): void {
    this.#take(input, () => this.#interpret(input))
  }

  emit(draft: AgentEventDraft): void {
    this.take({ kind: 'emit', draft })
  }

  #interpret(input: Exclude<RunInput, { kind: 'start' | 'line' | 'command' }>): void {
    const { translator } = this
    const dialogue = this.#dialogue
    switch (input.kind) {
      case 'exit':
        translator.apply(dialogue?.onExit(input.exit) ?? [])
        break
      case 'written':
        translator.apply(dialogue?.onWritten?.(input.line) ?? [])
        break
      case 'host':
        translator.apply(dialogue?.onHost?.(input.requestId, input.result) ?? [])
        break
      case 'http': {
        const line = 'sse' in input.response ? input.response.sse : undefined
        translator.apply(dialogue?.onHttp?.(input.requestId, input.response) ?? [], line)
        break
      }
      case 'usage':
        translator.see(input.usage)
        break
      case 'prior_turns':
        translator.normaliser.priorTurnCount = input.count
        break
      case 'emit':
        translator.emit(input.draft)
        break
      case 'fail':
        if (input.endsTurn) translator.fail(input.failure)
        break
      case 'stop': {
        // A limit of ours may end a turn that the agent calls complete, or interrupted.
        const outcome = outcomeOfStop(input.reason, input.failure)
        if (outcome) translator.normaliser.noteFailure(outcome)
        break
      }
      case 'output':
        translator.structuredOutput = input.value
        break
      case 'turn_stop':
        translator.normaliser.noteFailure(input.failure.outcome)
        break
      case 'retry': {
        const { kind, ...retry } = input
        translator.retry(retry)
        break
      }
      case 'finish':
        translator.apply(dialogue?.unreportedUsage?.() ?? [])
        translator.finish(input.verdict)
    }
  }

  #take(input: RunInput, interpret: () => void): void {
    this.ending.take(input)
    if (this.#tap && !this.#keep([input])) return
    this.#depth += 1
    try {
      interpret()
    } finally {
      this.#settle()
    }
  }

  #keep(inputs: readonly RunInput[]): boolean {
    // The end of the run is reported even if nothing else can be: the tap has kept some room for it.
    if (!this.#tap || (this.#isBroken && inputs[0]?.kind !== 'finish')) return false
    try {
      const time = this.#tap.inputs(inputs, this.#position())
      // What comes while an input is being interpreted happens at that input's time.
      if (this.#depth === 0) this.#now = time
    } catch (error) {
      if (this.#isBroken) return true
      this.#break(error)
      return false
    }
    if (this.#depth === 0) this.#index = 0
    return true
  }

  #position(): InputPosition | null {
    if (this.#depth === 0) return null
    return { index: this.#index, events: this.translator.normaliser.totals.eventCount }
  }

  #settle(): void {
    this.#depth -= 1
    if (this.#depth > 0 || !this.#tap) return
    try {
      this.#tap.settled()
    } catch (error) {
      this.#break(error)
    }
  }

  #break(error: unknown): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#handler.onTapFailure(error)
  }
}
