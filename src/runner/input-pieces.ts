import type { EventOfType } from '../contract/events.ts'
import type { GuardedEvent } from '../secrets/delta-guard.ts'

/** An event to be written, and how many events of its frame it stands for. */
export interface PiecedEvent extends GuardedEvent {
  events: number
}

type InputDelta = EventOfType<'tool_input_delta'>

const MAX_CHARACTERS = 16 * 1024

/**
 * Puts the pieces of a tool's input together: an agent that writes a large file sends it in tens of thousands of them, and
 * a record for each would cost fifty times the text. They wait for a moment; nothing else does, and nothing is lost when
 * the runner is killed meanwhile, because records are made of the native log.
 */
export class InputPieces {
  #open: (PiecedEvent & { event: InputDelta }) | null = null
  #since = 0

  /** What is to be written now, in order. */
  take(one: GuardedEvent, now: number): PiecedEvent[] {
    const { event } = one
    const events = one.isAdded ? 0 : 1
    if (event.type !== 'tool_input_delta') return [...this.release(), { ...one, events: 1 }]
    const open = this.#open
    if (open?.event.toolCallId === event.toolCallId) {
      const isSameFrame = open.frame === one.frame
      const delta = open.event.delta + event.delta
      this.#open = {
        ...one,
        event: { ...event, delta },
        isAdded: open.isAdded && one.isAdded,
        events: isSameFrame ? open.events + events : events,
      }
      return delta.length < MAX_CHARACTERS ? [] : this.release()
    }
    const before = this.release()
    this.#open = { ...one, event, events }
    this.#since = now
    return event.delta.length < MAX_CHARACTERS ? before : [...before, ...this.release()]
  }

  /** Since when the oldest piece waits; null: none does. */
  get since(): number | null {
    return this.#open === null ? null : this.#since
  }

  release(): PiecedEvent[] {
    const open = this.#open
    this.#open = null
    return open === null ? [] : [open]
  }
}
