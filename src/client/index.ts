/**
 * The daemon's API for programs: typed by its one table of routes, with nothing of Node in it.
 * @module
 */
import type { Change } from '../contract/api/change.ts'
import { API_PREFIX, ROUTES, type RouteName, STREAMS } from '../contract/api/routes.ts'
import type { Answer, Input } from '../contract/api/schemas.ts'
import {
  TERMINAL_PROTOCOL,
  type TerminalInput,
  type TerminalMessage,
  TOKEN_PROTOCOL,
} from '../contract/api/terminal.ts'
import { AgentMuxError, ERROR_CODES, isAgentMuxError } from '../contract/errors.ts'
import { Accumulator } from './accumulate.ts'
import { ServerEventReader } from './sse.ts'

export type { Change, EventChange, Message, Notification } from '../contract/api/change.ts'
export type {
  ManagedSession,
  NotificationKind,
  SessionMode,
  SessionUsage,
  Workspace,
} from '../contract/api/managed-session.ts'
export type { RouteName } from '../contract/api/routes.ts'
export type { Answer, Input, RestorePlan, Routes, RunInfo } from '../contract/api/schemas.ts'
export type { TerminalInput, TerminalMessage } from '../contract/api/terminal.ts'

/** Where the daemon listens, and the token for it. */
export interface DaemonAddress {
  /** Such as `http://127.0.0.1:7417`. */
  url: string
  token: string
}

/** How a client finds and reads the daemon. */
export interface ClientSettings {
  /** Asked again when the daemon cannot be reached: a new one may listen elsewhere. */
  address: DaemonAddress | (() => DaemonAddress | Promise<DaemonAddress>)
  fetch?: typeof fetch
  /** How often a request is tried again that did not reach the daemon. */
  retries?: number
  /** For `terminal()`, where there is no global one. */
  webSocket?: new (
    url: string,
    protocols: string[],
  ) => WebSocketLike
}

/** What `connect` takes. */
export interface ConnectOptions {
  /** Our settings; `~/.agent-mux` or AGENT_MUX_CONFIG_DIR unless given. */
  configDir?: string | undefined
  /** The state of the daemon; below the settings, or AGENT_MUX_DATA_DIR, unless given. */
  dataDir?: string | undefined
  /** Called with what a user should know, such as a daemon of another version. */
  onNote?: ((text: string) => void) | undefined
}

/** Changes as they come. `await using` and `return()` end them, also while they are waited for. */
export type ChangeStream = AsyncGenerator<Change, void, void> & AsyncDisposable

/** What `client.changes` takes. */
export interface ChangesOptions {
  /**
   * Go on after this change: the id of an event, `lastId` of an answer, or a sequence number; 0: from the first one.
   * By default, with what comes next.
   */
  after?: number | string
  /** Called before each change is handed out, with the position to continue from, also with another client. */
  onId?: (id: string) => void
  /** Only of one session. */
  sessionId?: string
  signal?: AbortSignal
}

type Arguments<Name extends RouteName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]

const KEYED: ReadonlySet<RouteName> = new Set(['spawn', 'send', 'restore'])
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 3000

/** What the client needs of a WebSocket: that of a browser, or of `ws`. */
export interface WebSocketLike {
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  send(data: string): void
  close(): void
}

type WebSocketMaker = new (url: string, protocols: string[]) => WebSocketLike

/** A connection to the terminal of a session. */
export interface TerminalConnection extends AsyncDisposable {
  send(input: TerminalInput): void
  close(): void
  /** Resolves when the connection has ended, no matter who ended it. */
  readonly closed: Promise<void>
}

/** In a variable, so that no bundler follows it into what only Node has. */
const NODE_ENTRY = 'agent-mux/daemon'

/** Talks to one daemon. `await using` ends its streams and terminals; the daemon goes on. */
export class DaemonClient implements AsyncDisposable {
  readonly #settings: ClientSettings
  /** Ends each stream and terminal that is open. */
  readonly #open = new Set<() => Promise<unknown>>()

  constructor(settings: ClientSettings) {
    this.#settings = settings
  }

  /** The daemon of this user, started if none serves yet. Only in Node; elsewhere, give the address to the constructor. */
  static async connect(options: ConnectOptions = {}): Promise<DaemonClient> {
    const { connectDaemon } = await import(/* webpackIgnore: true */ /* @vite-ignore */ NODE_ENTRY)
    return connectDaemon(options)
  }

  /** Ends the streams and terminals of this client. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((end) => end()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** One request by the name of its route. Rejects with an `AgentMuxError`. */
  async call<Name extends RouteName>(name: Name, ...[input]: Arguments<Name>): Promise<Answer<Name>> {
    const { method, path } = ROUTES[name]
    const fields = new Map<string, unknown>(Object.entries(input ?? {}))
    // With a key of its own a request can be sent again without being carried out again.
    if (KEYED.has(name) && !fields.has('key')) fields.set('key', crypto.randomUUID())
    const target = path.replace(/\{(\w+)\}/g, (_, field: string) => {
      const value = fields.get(field)
      fields.delete(field)
      return encodeURIComponent(String(value))
    })
    const request =
      method === 'POST'
        ? { target, init: { method, body: JSON.stringify(Object.fromEntries(fields)) } }
        : { target: target + queryOf(fields), init: { method } }
    const response = await this.#request(request.target, request.init, method === 'GET' || KEYED.has(name))
    return JSON.parse(await response.text())
  }

  /**
   * Every change, in order and each once, for as long as one reads. A connection that breaks is made again where it
   * broke. Ends with the signal; rejects when the daemon refuses, or cannot be reached any more.
   */
  changes(options: ChangesOptions = {}): ChangeStream {
    const leaving = new AbortController()
    const { signal } = options
    const leave = () => leaving.abort(signal?.reason)
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
    const forget = () => {
      signal?.removeEventListener('abort', leave)
      this.#open.delete(end)
    }
    const changes = this.#changes({ ...options, signal: leaving.signal }, forget)
    const finish = changes.return.bind(changes) // by itself, it waits for the next change
    const end = async () => {
      leave()
      const done = await finish()
      forget() // one that was never read does not get to its end
      return done
    }
    this.#open.add(end)
    // The generators of Node 20 have no `asyncDispose`.
    const dispose = async () => void (await end())
    return Object.assign(changes, { return: end, [Symbol.asyncDispose]: dispose })
  }

  async *#changes(options: ChangesOptions, onEnd: () => void): AsyncGenerator<Change, void, void> {
    try {
      yield* this.#read(options)
    } finally {
      onEnd()
    }
  }

  async *#read({ after, sessionId, signal, onId }: ChangesOptions): AsyncGenerator<Change, void, void> {
    const path = sessionId === undefined ? STREAMS.events.path : ROUTES.sessionEvents.path
    const target = path.replace('{id}', encodeURIComponent(sessionId ?? ''))
    const accumulator = new Accumulator()
    let place = after
    while (!signal?.aborted) {
      const query = place === undefined ? '' : `?after=${place}`
      const init = { method: 'GET', headers: { accept: 'text/event-stream' }, signal }
      const response = await this.#request(target + query, init, true).catch((error: unknown) => {
        if (signal?.aborted) return null
        throw error
      })
      if (response === null) return
      const events = new ServerEventReader()
      for await (const { change, id } of readChanges(response, events)) {
        place = id || change.seq
        onId?.(String(place))
        yield accumulator.complete(change)
        if (signal?.aborted) return
      }
      // Nothing has come yet: what comes while we are away must not be missed.
      if (place === undefined && events.lastId !== undefined) place = events.lastId
      await pause(FIRST_PAUSE_MS)
    }
  }

  /** A value that was too large for its event: `blobs` of the change names the file. */
  async blob(runId: string, file: string): Promise<ArrayBuffer> {
    const response = await this.#request(pathOf(STREAMS.blob.path, { id: runId, file }), { method: 'GET' }, true)
    return response.arrayBuffer()
  }

  /**
   * The screen of a terminal session: calls `onMessage` with the snapshot, then with each change. Node 20 has no
   * `WebSocket` of its own; `ws` can be given in the settings.
   */
  async terminal(id: string, onMessage: (message: TerminalMessage) => void): Promise<TerminalConnection> {
    const Socket: WebSocketMaker | undefined = this.#settings.webSocket ?? Reflect.get(globalThis, 'WebSocket')
    if (!Socket)
      throw new AgentMuxError('CAPABILITY_ERROR', 'There is no WebSocket here', { hint: 'Give `webSocket`.' })
    const { address } = this.#settings
    const { url, token } = typeof address === 'function' ? await address() : address
    const target = url.replace(/^http/, 'ws') + API_PREFIX + pathOf(STREAMS.terminal.path, { id })
    const socket = new Socket(target, [TERMINAL_PROTOCOL, TOKEN_PROTOCOL + token])
    socket.addEventListener('message', ({ data }) => onMessage(JSON.parse(String(data))))
    const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(unreachable(new Error('The WebSocket was refused'))))
    })
    const end = () => {
      socket.close()
      return closed
    }
    this.#open.add(end)
    void closed.then(() => this.#open.delete(end))
    return {
      send: (input) => socket.send(JSON.stringify(input)),
      close: () => socket.close(),
      closed,
      [Symbol.asyncDispose]: end,
    }
  }

  async #request(target: string, init: RequestInit, mayRepeat: boolean): Promise<Response> {
    const { address, retries = 5 } = this.#settings
    const send = this.#settings.fetch ?? fetch
    for (let attempt = 0, wait = FIRST_PAUSE_MS; ; attempt++, wait = Math.min(wait * 2, LAST_PAUSE_MS)) {
      try {
        const { url, token } = typeof address === 'function' ? await address() : address
        const headers = { ...init.headers, authorization: `Bearer ${token}`, ...(init.body ? JSON_BODY : {}) }
        const response = await send(url + API_PREFIX + target, { ...init, headers })
        if (response.ok) return response
        throw await errorOf(response)
      } catch (error) {
        if (isAgentMuxError(error) || init.signal?.aborted) throw error
        if (!mayRepeat || attempt >= retries) throw unreachable(error)
      }
      await pause(wait)
    }
  }
}

function pathOf(path: string, fields: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(fields[field] ?? ''))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const JSON_BODY = { 'content-type': 'application/json' }

function queryOf(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of fields) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}

/** Ends when the connection does, for whatever reason: the caller knows how to go on. */
async function* readChanges(
  response: Response,
  events: ServerEventReader,
): AsyncGenerator<{ change: Change; id: string }> {
  const stream = response.body
  if (stream === null) return
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
      if (done || value === undefined) return
      for (const { data, id } of events.push(decoder.decode(value, { stream: true }))) {
        yield { change: JSON.parse(data), id }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined) // broken already
  }
}

async function errorOf(response: Response): Promise<AgentMuxError> {
  const body: { error?: Partial<AgentMuxError> } = await response
    .text()
    .then(JSON.parse)
    .catch(() => ({}))
  const { code, message = `The daemon answered ${response.status}`, hint, recoverable } = body.error ?? {}
  return new AgentMuxError(ERROR_CODES.find((one) => one === code) ?? 'INTERNAL', message, { hint, recoverable })
}

function unreachable(cause: unknown): AgentMuxError {
  return new AgentMuxError('INTERNAL', 'The daemon cannot be reached', {
    hint: '`amux status` shows whether it runs.',
    recoverable: true,
    cause,
  })
}
