import type { Sign } from '../contract/activity.ts'
import type { AgentEvent } from '../contract/events.ts'

/**
 * What an agent's transcript says about its activity, read from the events of a conversation that somebody else runs.
 * A transcript does not report that a turn is over: an answer is taken for its end when no tool is under way.
 */
export class TranscriptSigns {
  readonly #running = new Map<string, string>()

  /** Null: the event says nothing. */
  take(event: AgentEvent): Sign | null {
    switch (event.type) {
      case 'turn_start':
        this.#running.clear()
        return { state: 'active', begins: true, detail: 'its transcript has a new prompt' }
      case 'tool_call_start':
        this.#running.set(event.toolCallId, event.toolName)
        return this.#busy()
      case 'tool_result':
      case 'tool_error':
        this.#running.delete(event.toolCallId)
        return this.#busy() ?? { state: 'active' }
      case 'thinking_delta':
      case 'text_delta':
        return { state: 'active' }
      case 'message_stop':
        return this.#busy() ?? { state: 'idle', detail: 'its transcript ends with an answer' }
      default:
        return null
    }
  }

  #busy(): Sign | null {
    const [tool] = this.#running.values()
    return tool === undefined ? null : { state: 'active', detail: `it runs ${tool}` }
  }
}
