import type { AgentEvent } from '../contract/events.ts'
import type { LaunchRecord } from '../contract/launch.ts'

type EventRecord = Extract<LaunchRecord, { event: AgentEvent }>

/** How far one kind of events is on disk: the last frame, and how many events of it. */
interface Mark {
  frame: number
  events: number
}

/** All that is written in order has one mark; the pieces of an input, which wait for each other, one for each call. */
const IN_ORDER = ''

function keyOf(event: AgentEvent): string {
  return event.type === 'tool_input_delta' ? `call ${event.toolCallId}` : IN_ORDER
}

/** Tells which events of a launch that are made again are on disk, wherever its runner was killed. */
export class Progress {
  readonly #marks = new Map<string, Mark>()
  #frame = 0
  readonly #seen = new Map<string, number>()

  /** Records from the newest on. False: no older one says more. */
  take({ event, frame, added, events = 1 }: EventRecord): boolean {
    const last = this.#marks.get(IN_ORDER)
    if (last && frame < last.frame) return false
    const key = keyOf(event)
    const mark = this.#marks.get(key) ?? { frame, events: 0 }
    if (mark.frame === frame && !added) mark.events += events
    this.#marks.set(key, mark)
    return true
  }

  /** In the order of the events, each of them once. */
  has(event: AgentEvent, frame: number): boolean {
    if (frame !== this.#frame) this.#seen.clear()
    this.#frame = frame
    const key = keyOf(event)
    const seen = (this.#seen.get(key) ?? 0) + 1
    this.#seen.set(key, seen)
    const mark = this.#marks.get(key)
    const last = this.#marks.get(IN_ORDER)?.frame ?? 0
    return frame < last || (mark !== undefined && (frame < mark.frame || (frame === mark.frame && seen <= mark.events)))
  }
}
