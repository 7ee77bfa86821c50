import type { AgentEvent } from '../contract/events.ts'

/**
 * How many requests an agent has made to its model in the current turn, by what can be seen of them: what the model says
 * after the tools of its last response have run is the answer to another request. Sub-agents do not count.
 */
export class RequestCount {
  #count = 0
  #hasToolResult = false
  #hasUsage = false
  readonly #openCalls = new Set<string>()
  readonly #callsToolsEarly: () => boolean

  /**
   * `callsToolsEarly`: it runs tools before a response is over, so that only the usage of a response shows its end.
   */
  constructor(callsToolsEarly: () => boolean) {
    this.#callsToolsEarly = callsToolsEarly
  }

  /** Notes the event, and returns the number of requests so far. */
  note(event: AgentEvent): number {
    switch (event.type) {
      case 'turn_start':
        this.#count = 0
        this.#openCalls.clear()
        this.#begin()
        break
      case 'message_start':
      case 'thinking_start':
        this.#hear()
        break
      case 'tool_call_start':
        if (event.parentToolCallId !== undefined) break
        this.#hear()
        this.#openCalls.add(event.toolCallId)
        break
      case 'tool_result':
      case 'tool_error':
        if (event.parentToolCallId !== undefined) break
        this.#openCalls.delete(event.toolCallId)
        this.#hasToolResult = true
        break
      case 'token_usage':
        this.#hasUsage = true
    }
    return this.#count
  }

  #begin(): void {
    this.#hasToolResult = false
    this.#hasUsage = false
  }

  /** The model says something: of the same response, or of the next one. */
  #hear(): void {
    const isOver = this.#hasToolResult && this.#openCalls.size === 0 && (this.#hasUsage || !this.#callsToolsEarly())
    if (this.#count > 0 && !isOver) return
    this.#count += 1
    this.#begin()
  }
}
