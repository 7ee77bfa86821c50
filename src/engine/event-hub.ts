import type { AgentEvent, AgentEventType } from '../contract/events.ts'

type Listener = (event: AgentEvent) => void

const NO_ERRORS: readonly unknown[] = []

/** One reader's own queue. Its length is what slows the child down. */
class Reader implements AsyncIterator<AgentEvent> {
  #queue: AgentEvent[]
  #head = 0
  #waiting: { resolve: (result: IteratorResult<AgentEvent>) => void; reject: (error: unknown) => void }[] = []
  #error: { error: unknown } | null = null
  #ended = false
  readonly #onPull: () => void
  readonly #onReturn: (reader: Reader) => void

  constructor(history: readonly AgentEvent[], onPull: () => void, onReturn: (reader: Reader) => void) {
    this.#queue = [...history]
    this.#onPull = onPull
    this.#onReturn = onReturn
  }

  get length(): number {
    return this.#queue.length - this.#head
  }

  /** Has seen all there is and asked for more. */
  get isCaughtUp(): boolean {
    return this.#waiting.length > 0
  }

  push(event: AgentEvent): void {
    if (this.#waiting.length === 0) this.#queue.push(event)
    else this.#waiting.shift()?.resolve({ value: event, done: false })
  }

  end(): void {
    this.#ended = true
    for (const { resolve } of this.#waiting.splice(0)) resolve({ value: undefined, done: true })
  }

  next(): Promise<IteratorResult<AgentEvent>> {
    const event = this.#queue[this.#head]
    if (event !== undefined) {
      this.#head += 1
      if (this.#head === this.#queue.length || this.#head > 1024) {
        this.#queue = this.#queue.slice(this.#head)
        this.#head = 0
      }
      this.#onPull()
      return Promise.resolve({ value: event, done: false })
    }
    if (this.#error) {
      const { error } = this.#error
      this.#error = null
      return Promise.reject(error)
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#onPull()
    })
  }

  /** The run could not be started: the reader's next pull says why. */
  fail(error: unknown): void {
    const waiting = this.#waiting.shift()
    if (waiting) waiting.reject(error)
    else this.#error = { error }
    this.end()
  }

  return(): Promise<IteratorResult<AgentEvent>> {
    this.#queue = []
    this.#head = 0
    this.end()
    this.#onReturn(this)
    return Promise.resolve({ value: undefined, done: true })
  }
}

/**
 * Hands every event to every listener and reader. Nothing is dropped for a slow reader: `isSaturated` tells the
 * engine to stop reading the child until `onDrain`. The first events are kept so that a reader which comes a little
 * late still sees the whole run; one that comes later than that gets the number of events that it missed.
 */
export class EventHub {
  readonly #limit: number
  readonly #collect: boolean
  #readers: readonly Reader[] = []
  readonly #listeners = new Map<AgentEventType | '*', Set<Listener>>()
  readonly #history: AgentEvent[] = []
  #published = 0
  #ended = false
  #error: { error: unknown } | null = null
  #onDrain: (() => void) | null = null
  #onCaughtUp: (() => void)[] = []

  constructor(limit: number, collect: boolean) {
    this.#limit = limit
    this.#collect = collect
  }

  get isSaturated(): boolean {
    for (const reader of this.#readers) if (reader.length >= this.#limit) return true
    return false
  }

  /** All events of the run, when it was asked to collect them. */
  get collected(): AgentEvent[] {
    return this.#collect ? this.#history : []
  }

  /** Called once, when the readers have room again. */
  onDrain(callback: () => void): void {
    this.#onDrain = callback
  }

  /** A listener that throws harms nobody else; its error comes back to be reported. */
  publish(event: AgentEvent): readonly unknown[] {
    if (this.#ended) return []
    this.#published += 1
    if (this.#collect || this.#history.length < this.#limit) this.#history.push(event)
    for (const reader of this.#readers) reader.push(event)
    if (this.#listeners.size === 0) return NO_ERRORS
    const errors: unknown[] = []
    for (const key of [event.type, '*'] as const) {
      for (const listener of [...(this.#listeners.get(key) ?? [])]) {
        try {
          listener(event)
        } catch (error) {
          errors.push(error)
        }
      }
    }
    return errors
  }

  end(): void {
    this.#ended = true
    for (const reader of this.#readers) reader.end()
    this.#release()
  }

  fail(error: unknown): void {
    this.#error = { error }
    for (const reader of this.#readers) reader.fail(error)
    this.end()
  }

  on(type: AgentEventType | '*', listener: Listener): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
  }

  off(type: AgentEventType | '*', listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  read(missed: (count: number) => AgentEvent): AsyncIterator<AgentEvent> {
    const lost = this.#published - this.#history.length
    const history = lost > 0 ? [...this.#history, missed(lost)] : this.#history
    const reader = new Reader(
      history,
      () => this.#release(),
      (gone) => {
        this.#readers = this.#readers.filter((reader) => reader !== gone)
        this.#release()
      },
    )
    if (this.#error) reader.fail(this.#error.error)
    else if (this.#ended) reader.end()
    else this.#readers = [...this.#readers, reader]
    return reader
  }

  /** Resolves when every reader has seen every event and asked for the next one. */
  async caughtUp(): Promise<void> {
    // A macrotask, so that a listener's promise chain can still send the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    while (!this.#ended && this.#readers.some((reader) => !reader.isCaughtUp)) {
      await new Promise<void>((resolve) => this.#onCaughtUp.push(resolve))
    }
  }

  #release(): void {
    // Half empty before the child may go on, so that it is not stopped and started for every event.
    if (this.#onDrain && this.#readers.every((reader) => reader.length * 2 <= this.#limit)) {
      const drained = this.#onDrain
      this.#onDrain = null
      drained()
    }
    if (this.#onCaughtUp.length > 0) {
      const waiting = this.#onCaughtUp
      this.#onCaughtUp = []
      for (const resolve of waiting) resolve()
    }
  }
}
