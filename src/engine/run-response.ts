import { isAgentMuxError } from '../contract/errors.ts'
import { serializeEvent } from '../contract/event-guards.ts'
import type { ResponseOptions, RunHandle } from '../contract/run-handle.ts'

type Format = NonNullable<ResponseOptions['format']>

const TYPES: Readonly<Record<Format, string>> = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

/** Proxies close a connection on which nothing comes for long. */
const SILENCE_MS = 15_000
const COMMENT = ': \n\n'

/** A run as a response. What the client does not read stays with the run, which slows the agent down. */
export function responseOf(run: RunHandle, options: ResponseOptions = {}): Response {
  const { format = 'sse', status = 200, headers = {}, onDisconnect = 'continue' } = options
  const pieces = format === 'text' ? run.textStream[Symbol.asyncIterator]() : records(run, format)
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<string>> | null = null
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= pieces.next()
        const result = format === 'sse' ? await orSilence(next) : await next
        if (result === null) {
          controller.enqueue(encoder.encode(COMMENT))
          return
        }
        next = null
        if (result.done) controller.close()
        else controller.enqueue(encoder.encode(result.value))
      },
      cancel() {
        if (onDisconnect === 'abort') void run.abort(new Error('the client has gone'))
        void pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  const standard = { 'content-type': TYPES[format], 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
  return new Response(body, { status, headers: { ...standard, ...headers } })
}

/** Null when nothing came for a while. */
async function orSilence<T>(next: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SILENCE_MS)
    timer.unref()
  })
  return Promise.race([next, silence]).finally(() => clearTimeout(timer))
}

/** All events and the result; a run that could not start ends with an `error`. */
async function* records(run: RunHandle, format: 'sse' | 'ndjson'): AsyncGenerator<string, void> {
  let id = 0
  const record = (type: string, json: string) =>
    format === 'ndjson' ? `${json}\n` : `id: ${++id}\nevent: ${type}\ndata: ${json}\n\n`
  try {
    for await (const event of run) yield record(event.type, serializeEvent(event))
    yield record('run_result', JSON.stringify({ type: 'run_result', ...(await run.result()) }))
  } catch (error) {
    const code = isAgentMuxError(error) ? error.code : 'INTERNAL'
    const message = error instanceof Error ? error.message : String(error)
    yield record('error', JSON.stringify({ type: 'error', code, message, recoverable: false }))
  }
}
