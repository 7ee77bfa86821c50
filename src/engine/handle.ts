import type { AgentEvent, AgentEventType } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type {
  DeliveryTime,
  ResponseOptions,
  RunHandle,
  RunResult,
  RunState,
  TextStream,
} from '../contract/run-handle.ts'
import type { Conversation } from './conversation.ts'
import { EventHub } from './event-hub.ts'
import { Interactions } from './interactions.ts'
import type { Run, RunRequest } from './run.ts'
import { responseOf } from './run-response.ts'
import { textOf } from './text-stream.ts'

type AnyListener = (event: never) => void

/**
 * The public face of a run. See `RunHandle` for what each member promises. It can be listened to, read and aborted at
 * once; the engine behind it is loaded with the first run, so that it costs nobody who runs nothing.
 */
export class AgentRunHandle implements RunHandle {
  readonly runId: string
  readonly agent: AgentName
  readonly interaction = new Interactions()
  readonly #hub: EventHub
  readonly #abort = new AbortController()
  readonly #loaded: Promise<Run>
  readonly #result: Promise<RunResult>
  #run: Run | null = null
  /** What was registered for a listener of a type, so that `off` finds it again. */
  readonly #wrapped = new Map<AgentEventType | '*', Map<AnyListener, (event: AgentEvent) => void>>()

  constructor(request: RunRequest) {
    this.runId = request.runId
    this.agent = request.agent
    const { eventBufferSize = 1000, collectEvents = false } = request.options
    this.#hub = new EventHub(eventBufferSize, collectEvents)
    this.#loaded = this.#load(request)
    this.#result = this.#loaded.then((run) => run.result)
    // A caller who only iterates gets the error from the iterator; it must not end the process as unhandled.
    this.#result.catch((error) => this.#hub.fail(error))
  }

  async #load(request: RunRequest): Promise<Run> {
    const { Run } = await import('./run.ts')
    this.#run = new Run(request, { hub: this.#hub, interactions: this.interaction, abort: this.#abort.signal })
    return this.#run
  }

  /** What is said to the agent, once there is one to hear it. */
  async #conversation(): Promise<Conversation> {
    const run = await this.#loaded
    await run.started
    return run.events.conversation
  }

  get model(): string | null {
    return this.#run?.model ?? null
  }

  get state(): RunState {
    return this.#run?.events.conversation.state ?? 'spawned'
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
    return this.#hub.read((count) => {
      const message = `${count} earlier events were not kept: read from the start, or set collectEvents`
      const { runId, agent } = this
      return { type: 'debug', level: 'warn', message, runId, agent, timestamp: Date.now() }
    })
  }

  get textStream(): TextStream {
    return textOf(this)
  }

  toResponse(options?: ResponseOptions): Response {
    return responseOf(this, options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.abort()
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
    if (wrapped) this.#hub.off(type, wrapped)
    this.#wrapped.get(type)?.delete(listener)
    return this
  }

  #listen(type: AgentEventType | '*', listener: AnyListener, wrapped: (event: AgentEvent) => void): this {
    this.off(type, listener) // the same listener again takes its own place
    const listeners = this.#wrapped.get(type) ?? new Map()
    this.#wrapped.set(type, listeners.set(listener, wrapped))
    this.#hub.on(type, wrapped)
    return this
  }

  async send(text: string): Promise<void> {
    ;(await this.#conversation()).send(text)
  }

  async queue(prompt: string, { when = 'next-turn' }: { when?: DeliveryTime } = {}): Promise<void> {
    ;(await this.#conversation()).defer(prompt, when, 'user_turn')
  }

  async steer(prompt: string, { when }: { when?: DeliveryTime } = {}): Promise<void> {
    const conversation = await this.#conversation()
    if (when === undefined) conversation.steer(prompt)
    else conversation.defer(prompt, when, 'steer')
  }

  continue(prompt: string): Promise<void> {
    return this.send(prompt)
  }

  async approve(detail?: string): Promise<void> {
    this.interaction.respondToOldest({ type: 'approve', detail })
  }

  async deny(reason?: string): Promise<void> {
    this.interaction.respondToOldest({ type: 'deny', reason })
  }

  async setModel(model: string): Promise<void> {
    ;(await this.#conversation()).setModel(model)
  }

  async interrupt(): Promise<void> {
    ;(await this.#conversation()).interrupt()
  }

  async abort(reason?: unknown): Promise<void> {
    this.#abort.abort(reason)
    await this.#result.catch(() => undefined)
  }

  async pause(): Promise<void> {
    ;(await this.#conversation()).pause()
  }

  async resume(): Promise<void> {
    ;(await this.#conversation()).resume()
  }

  async close(): Promise<void> {
    ;(await this.#conversation()).close()
  }

  result(): Promise<RunResult> {
    return this.#result
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is awaitable by contract
  then<A = RunResult, B = never>(
    onFulfilled?: ((result: RunResult) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(onFulfilled, onRejected)
  }

  catch<T = never>(onRejected: (reason: unknown) => T | PromiseLike<T>): Promise<RunResult | T> {
    return this.#result.catch(onRejected)
  }

  finally(onFinally: () => void): Promise<RunResult> {
    return this.#result.finally(onFinally)
  }
}

function isOf<Event extends AgentEvent>(event: AgentEvent, type: Event['type'] | '*'): event is Event {
  return type === '*' || event.type === type
}
