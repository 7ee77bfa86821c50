import type { HttpRequest, HttpResponse } from '../contract/dialogue.ts'
import { EventStream } from './event-stream.ts'

export interface ExchangeListener {
  onResponse(requestId: string, response: HttpResponse): void
  /** After each piece of a stream: true stops reading until `resumeReading`. */
  mustWait(): boolean
}

const MAX_BODY_BYTES = 32 * 1024 * 1024
/** A server that has just started may not be listening yet. */
const CONNECT_TRIES = 20
const CONNECT_DELAY_MS = 100

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Speaks HTTP with the agent of this run, which listens on this machine, and with nobody else. */
export class HttpExchange {
  readonly #listener: ExchangeListener
  readonly #secret: string
  readonly #closing = new AbortController()
  #resume: (() => void)[] = []

  constructor(listener: ExchangeListener, secret: string) {
    this.#listener = listener
    this.#secret = secret
  }

  /** Never rejects: what went wrong is reported like an answer. */
  async send(request: HttpRequest): Promise<void> {
    try {
      const response = await this.#fetch(request)
      if (request.stream && response.ok) await this.#readStream(request.requestId, response)
      else this.#answer(request.requestId, { status: response.status, body: await readBody(response) })
    } catch (error) {
      this.#answer(request.requestId, { error: describe(error) })
    }
  }

  resumeReading(): void {
    const waiting = this.#resume
    this.#resume = []
    for (const resume of waiting) resume()
  }

  /** Ends what is under way, without a word. */
  close(): void {
    this.#closing.abort()
    this.resumeReading()
  }

  #answer(requestId: string, response: HttpResponse): void {
    if (!this.#closing.signal.aborted) this.#listener.onResponse(requestId, response)
  }

  async #fetch({ url, method, body, user }: HttpRequest): Promise<Response> {
    if (!LOOPBACK.has(new URL(url).hostname)) throw new Error(`${url} is not on this machine`)
    const headers: Record<string, string> = {}
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (user !== undefined) {
      headers.authorization = `Basic ${Buffer.from(`${user}:${this.#secret}`).toString('base64')}`
    }
    const { signal } = this.#closing
    const text = body === undefined ? undefined : JSON.stringify(body)
    for (let attempt = 1; ; attempt++) {
      try {
        return await fetch(url, { method, headers, body: text, signal, redirect: 'error' })
      } catch (error) {
        if (signal.aborted || attempt >= CONNECT_TRIES || !isRefused(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, CONNECT_DELAY_MS))
      }
    }
  }

  async #readStream(requestId: string, response: Response): Promise<void> {
    const events = new EventStream()
    for await (const chunk of response.body ?? []) {
      for (const data of events.push(chunk)) this.#answer(requestId, { sse: data })
      if (this.#listener.mustWait()) await new Promise<void>((resolve) => this.#resume.push(resolve))
    }
    this.#answer(requestId, { error: 'The server has closed the stream.' })
  }
}

async function readBody(response: Response): Promise<unknown> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error(`The answer is longer than ${MAX_BODY_BYTES} bytes.`)
    pieces.push(chunk)
  }
  const text = Buffer.concat(pieces).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

/** Nothing was sent, so that it can be sent again. */
function isRefused(error: unknown): boolean {
  const cause = causeOf(error)
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

function describe(error: unknown): string {
  const cause = causeOf(error)
  return cause instanceof Error ? cause.message : String(cause)
}
