import type { TurnFailure } from '../contract/dialogue.ts'
import { failTurn } from '../core/failures.ts'
import type { Interpreter } from './interpreter.ts'
import type { OutputGuard } from './output-guard.ts'

/** What the check asks of its run. */
export interface OutputCheckPort {
  /** Whether the agent can be asked again. */
  readonly takesTurns: boolean
  send(prompt: string): void
  /** The answer fits, and is this. */
  accept(value: unknown): void
  fail(failure: TurnFailure): void
}

/** Looks at the answer of each turn of a run that has to fit a schema, and asks once for a better one. */
export class OutputCheck {
  /** Null for a run whose answer may be anything. */
  guard: OutputGuard | null = null
  readonly #interpreter: Interpreter
  readonly #port: OutputCheckPort
  #check: Promise<void> | null = null
  #isRepairing = false

  constructor(interpreter: Interpreter, port: OutputCheckPort) {
    this.#interpreter = interpreter
    this.#port = port
  }

  /** What an earlier attempt answered says nothing about this one. */
  reset(): void {
    this.#check = null
  }

  /** A prompt is about to be sent: ours, or a new one of the caller. */
  newPrompt(): void {
    if (!this.#isRepairing) this.guard?.newPrompt()
  }

  turnEnded(): void {
    this.#check = this.#look()
  }

  /** Resolves when the answer of the last turn is known to fit, or not to; one that was not looked at is looked at now. */
  async done(): Promise<void> {
    this.#check ??= this.#look()
    await this.#check
  }

  /** A turn that has gone wrong anyway has no answer to look at. */
  get #isAmiss(): boolean {
    const { isStopped, hasFailed, wasInterrupted } = this.#interpreter.ending
    return isStopped || hasFailed || wasInterrupted
  }

  async #look(): Promise<void> {
    const { guard } = this
    const { structuredOutput, normaliser } = this.#interpreter.translator
    const { deniedTools, openQuestions } = normaliser.totals
    if (!guard || this.#isAmiss || deniedTools.length > 0 || openQuestions.size > 0) return
    const checked = await guard.check(structuredOutput, normaliser.answer)
    if (this.#isAmiss) return
    if ('value' in checked) {
      this.#port.accept(checked.value)
      return
    }
    const repair = this.#port.takesTurns ? guard.repair(checked.fault) : null
    if (repair !== null && this.#sendRepair(repair)) return
    const message = `The answer does not fit its schema: ${checked.fault}`
    for (const effect of failTurn('output_invalid', { message })) if ('fail' in effect) this.#port.fail(effect.fail)
  }

  #sendRepair(prompt: string): boolean {
    this.#isRepairing = true
    try {
      this.#port.send(prompt)
      return true
    } catch {
      return false
    } finally {
      this.#isRepairing = false
    }
  }
}
