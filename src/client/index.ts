/**
 * The daemon's API for programs: typed by its one table of routes, with nothing of Node in it.
 * @module
 */
import type { Change } from '../contract/api/change.ts'
import { API_PREFIX, ROUTES, type RouteName, STREAMS } from '../contract/api/routes.ts'
import type { Answer, Input } from '../contract/api/schemas.ts'
import { AgentMuxError, ERROR_CODES, isAgentMuxError } from '../contract/errors.ts'
import { Accumulator } from './accumulate.ts'
import { ServerEventReader } from './sse.ts'

export type { Change, EventChange, Message, Notification, NotificationKind } from '../contract/api/change.ts'
export type { ManagedSession, SessionMode, SessionUsage, Workspace } from '../contract/api/managed-session.ts'
export type { RouteName } from '../contract/api/routes.ts'
export type { Answer, Input, RestorePlan, RunInfo } from '../contract/api/schemas.ts'

export interface DaemonAddress {
  /** Such as `http://127.0.0.1:7417`. */
  url: string
  token: string
}

export interface ClientSettings {
  /** Asked again when the daemon cannot be reached: a new one may listen elsewhere. */
  address: DaemonAddress | (() => DaemonAddress | Promise<DaemonAddress>)
  fetch?: typeof fetch
  /** How often a request is tried again that did not reach the daemon. */
  retries?: number
}

export interface ChangesOptions {
  /** Go on after this change; 0: from the first one. Unless told, with what comes next. */
  after?: number
  /** Only of one session. */
  sessionId?: string
  signal?: AbortSignal
}

type Arguments<Name extends RouteName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]

const KEYED: ReadonlySet<RouteName> = new Set(['spawn', 'send', 'restore'])
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 3000

/** Talks to one daemon. */
export class DaemonClient {
  readonly #settings: ClientSettings

  constructor(settings: ClientSettings) {
    this.#settings = settings
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
  async *changes({ after, sessionId, signal }: ChangesOptions = {}): AsyncGenerator<Change> {
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
      for await (const change of readChanges(response, events)) {
        place = change.seq
        yield accumulator.complete(change)
        if (signal?.aborted) return
      }
      // Nothing has come yet: what comes while we are away must not be missed.
      if (place === undefined && events.lastId !== undefined) place = Number(events.lastId)
      await pause(FIRST_PAUSE_MS)
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
async function* readChanges(response: Response, events: ServerEventReader): AsyncGenerator<Change> {
  const stream = response.body
  if (stream === null) return
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
      if (done || value === undefined) return
      for (const { data } of events.push(decoder.decode(value, { stream: true }))) yield JSON.parse(data)
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
    hint: '`amux status` tells whether it runs.',
    recoverable: true,
    cause,
  })
}
