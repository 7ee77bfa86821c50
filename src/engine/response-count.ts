import type { AgentEvent } from '../contract/events.ts'

/**
 * How many answers of the model a run has seen at least: an answer begins with the first call after a result. Agents that
 * report their usage late have used that of all but the last.
 */
export class ResponseCount {
  #count = 0
  #isOpen = false

  get begun(): number {
    return this.#count
  }

  get finished(): number {
    return Math.max(0, this.#count - 1)
  }

  note(event: AgentEvent): void {
    if (event.type === 'tool_result' || event.type === 'tool_error' || event.type === 'turn_start') this.#isOpen = false
    if (event.type !== 'tool_call_start' || event.parentToolCallId !== undefined || this.#isOpen) return
    this.#isOpen = true
    this.#count += 1
  }

  /** As many were found: what looked like more was not. */
  settle(found: number): void {
    this.#count = Math.min(this.#count, found + 1)
  }
}
