import type { AgentEvent, AgentEventType } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { DeliveryTime, RunHandle, RunResult, RunState } from '../contract/run-handle.ts'
import { Run, type RunRequest } from './run.ts'

type AnyListener = (event: never) => void

/** The public face of a run. See `RunHandle` for what each member promises. */
export class AgentRunHandle implements RunHandle {
  readonly runId: string
  readonly agent: AgentName
  readonly #run: Run
  /** What was registered for a listener of a type, so that `off` finds it again. */
  readonly #wrapped = new Map<AgentEventType | '*', Map<AnyListener, (event: AgentEvent) => void>>()

  constructor(request: RunRequest) {
    this.runId = request.runId
    this.agent = request.agent
    this.#run = new Run(request)
  }

  get model(): string | null {
    return this.#run.model
  }

  get state(): RunState {
    return this.#run.events.conversation.state
  }

  get interaction() {
    return this.#run.events.responder.interactions
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
    return this.#run.events.hub.read((count) => this.#run.events.missedEvents(count))
  }

  on<Event extends AgentEvent>(type: Event['type'] | '*', listener: (event: Event) => void): this {
    return this.#listen(type, listener, (event) => {
      if (isOf<Event>(event, type)) listener(event)
    })
  }

  once<Event extends AgentEvent>(type: Event['type'], listener: (event: Event) => void): this {
    return this.#listen(type, listener, (event) => {
      this.off(type, listener)
      if (isOf<Event>(event, type)) listener(event)
    })
  }

  off(type: AgentEventType | '*', listener: AnyListener): this {
    const wrapped = this.#wrapped.get(type)?.get(listener)
    if (wrapped) this.#run.events.hub.off(type, wrapped)
    this.#wrapped.get(type)?.delete(listener)
    return this
  }

  #listen(type: AgentEventType | '*', listener: AnyListener, wrapped: (event: AgentEvent) => void): this {
    this.off(type, listener) // the same listener again takes its own place
    const listeners = this.#wrapped.get(type) ?? new Map()
    this.#wrapped.set(type, listeners.set(listener, wrapped))
    this.#run.events.hub.on(type, wrapped)
    return this
  }

  async send(text: string): Promise<void> {
    await this.#run.started
    this.#run.events.conversation.send(text)
  }

  async queue(prompt: string, { when = 'next-turn' }: { when?: DeliveryTime } = {}): Promise<void> {
    await this.#run.started
    this.#run.events.conversation.defer(prompt, when, 'user_turn')
  }

  async steer(prompt: string, { when }: { when?: DeliveryTime } = {}): Promise<void> {
    await this.#run.started
    if (when === undefined) this.#run.events.conversation.steer(prompt)
    else this.#run.events.conversation.defer(prompt, when, 'steer')
  }

  continue(prompt: string): Promise<void> {
    return this.send(prompt)
  }

  async approve(detail?: string): Promise<void> {
    this.#run.events.responder.interactions.respondToOldest({ type: 'approve', detail })
  }

  async deny(reason?: string): Promise<void> {
    this.#run.events.responder.interactions.respondToOldest({ type: 'deny', reason })
  }

  async setModel(model: string): Promise<void> {
    await this.#run.started
    this.#run.events.conversation.setModel(model)
  }

  async interrupt(): Promise<void> {
    await this.#run.started
    this.#run.events.conversation.interrupt()
  }

  async abort(): Promise<void> {
    await this.#run.endAs('aborted')
    await this.#run.result.catch(() => undefined)
  }

  async pause(): Promise<void> {
    await this.#run.started
    this.#run.events.conversation.pause()
  }

  async resume(): Promise<void> {
    this.#run.events.conversation.resume()
  }

  async close(): Promise<void> {
    await this.#run.started
    this.#run.events.conversation.close()
  }

  result(): Promise<RunResult> {
    return this.#run.result
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is awaitable by contract
  then<A = RunResult, B = never>(
    onFulfilled?: ((result: RunResult) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run.result.then(onFulfilled, onRejected)
  }

  catch<T = never>(onRejected: (reason: unknown) => T | PromiseLike<T>): Promise<RunResult | T> {
    return this.#run.result.catch(onRejected)
  }

  finally(onFinally: () => void): Promise<RunResult> {
    return this.#run.result.finally(onFinally)
  }
}

function isOf<Event extends AgentEvent>(event: AgentEvent, type: Event['type'] | '*'): event is Event {
  return type === '*' || event.type === type
}
