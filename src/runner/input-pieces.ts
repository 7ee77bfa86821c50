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
  /** By tool call, the one that was last gone on with at the end: calls that run side by side come in turns. */
  readonly #open = new Map<string, PiecedEvent & { event: InputDelta }>()
  #since = 0

  /** What is to be written now, in order. */
  take(one: GuardedEvent, now: number): PiecedEvent[] {
    const { event } = one
    if (event.type !== 'tool_input_delta') return [...this.release(), { ...one, events: 1 }]
    const open = this.#open.get(event.toolCallId)
    if (this.#open.size === 0) this.#since = now
    const own = { ...one, event, events: one.isAdded ? 0 : 1 }
    this.#open.delete(event.toolCallId)
    this.#open.set(event.toolCallId, open ? joined(open, own) : own)
    let characters = 0
    for (const { event } of this.#open.values()) characters += event.delta.length
    return characters < MAX_CHARACTERS ? [] : this.release()
  }

  /** Since when the oldest piece waits; null: none does. */
  get since(): number | null {
    return this.#open.size === 0 ? null : this.#since
  }

  /** All at once: only so is what is on disk known by the last record of each call. */
  release(): PiecedEvent[] {
    const open = [...this.#open.values()]
    this.#open.clear()
    return open
  }
}

type Piece = PiecedEvent & { event: InputDelta }

function joined(open: Piece, next: Piece): Piece {
  return {
    ...next,
    event: { ...next.event, delta: open.event.delta + next.event.delta },
    isAdded: open.isAdded && next.isAdded,
    events: open.frame === next.frame ? open.events + next.events : next.events,
  }
}
