import type { Change } from '../contract/api/change.ts'
import type { AgentEvent } from '../contract/events.ts'

/** What the open messages of one launch have come to. */
interface Open {
  launch: number
  text: string
  thinking: string
  inputs: Map<string, string>
}

/**
 * Puts `accumulated` back into events: it is left out on the wire, where it would cost the square of a message's
 * length. A reader that starts in the middle of a message has it from there.
 */
export class Accumulator {
  readonly #open = new Map<string, Open>()

  complete(change: Change): Change {
    if (change.kind === 'removed') this.#open.delete(change.sessionId)
    if (change.kind === 'reset') this.#open.clear()
    if (change.kind !== 'event') return change
    const event = this.#event(change.event, this.#of(change.sessionId, change.launch))
    return event === change.event ? change : { ...change, event }
  }

  #of(sessionId: string, launch: number): Open {
    const known = this.#open.get(sessionId)
    if (known?.launch === launch) return known
    const open = { launch, text: '', thinking: '', inputs: new Map<string, string>() }
    this.#open.set(sessionId, open)
    return open
  }

  #event(event: AgentEvent, open: Open): AgentEvent {
    switch (event.type) {
      case 'message_start':
        open.text = ''
        return event
      case 'thinking_start':
        open.thinking = ''
        return event
      case 'text_delta':
        open.text += event.delta
        return { ...event, accumulated: open.text }
      case 'thinking_delta':
        open.thinking += event.delta
        return { ...event, accumulated: open.thinking }
      case 'tool_call_start':
        open.inputs.set(event.toolCallId, '')
        return { ...event, inputAccumulated: '' }
      case 'tool_input_delta': {
        const input = (open.inputs.get(event.toolCallId) ?? '') + event.delta
        open.inputs.set(event.toolCallId, input)
        return { ...event, inputAccumulated: input }
      }
      case 'tool_call_ready':
        open.inputs.delete(event.toolCallId)
        return event
      default:
        return event
    }
  }
}
