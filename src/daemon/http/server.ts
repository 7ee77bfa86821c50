import { createReadStream, existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { stream } from 'hono/streaming'
import { type LogPlace, readPlace } from '../../contract/api/place.ts'
import { API_PREFIX, ROUTES, STREAMS } from '../../contract/api/routes.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { RunnerConnection } from '../../contract/launch.ts'
import type { JsonRecord } from '../../core/json.ts'
import type { ChangeFeed } from '../change-feed.ts'
import type { Endpoint, Endpoints } from './endpoint.ts'
import { describeError, Refusal } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { guard, jsonOnly, readBody } from './guard.ts'
import { openApiDocument } from './openapi.ts'
import { limitStrangers } from './strangers.ts'
import { terminalRoute, terminalServer } from './terminal.ts'

const MAX_BODY_BYTES = 16 * 1024 * 1024

export interface AppOptions {
  token: string
  port: () => number
  version: string
  endpoints: Endpoints
  feed: ChangeFeed
  /** The daemon is ending: streams end with it. */
  signal: AbortSignal
  /** Which session an id, a name or a beginning of one of them means. */
  resolveSession: (given: string) => string
  /** A connection to the terminal of a session. Throws at once when it has none. */
  openTerminal: (given: string) => () => Promise<RunnerConnection>
  /** Where a value is that was too large for its event. Throws when there is none. */
  blobPath: (runId: string, file: string) => string
  onError: (error: unknown, request: string) => void
}

/** Everything that the daemon answers, behind one guard. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono()
  app.onError((error, context) => {
    const { status, body } = describeError(error)
    if (status >= 500) options.onError(error, `${context.req.method} ${context.req.path}`)
    // A stranger is not heard to the end: the body of a refused request would be read and thrown away.
    if (status === 401 || status === 403) context.header('connection', 'close')
    return context.json(body, status)
  })
  app.notFound((context) => {
    const error = new Refusal(404, 'VALIDATION_ERROR', `There is no ${context.req.method} ${context.req.path}`, {
      hint: `GET ${API_PREFIX}${STREAMS.openapi.path} lists all there is.`,
    })
    return context.json(describeError(error).body, 404)
  })
  app.use(guard(options.token, options.port))
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new Refusal(413, 'VALIDATION_ERROR', `The body is larger than ${MAX_BODY_BYTES} bytes`)
      },
    }),
  )
  app.use(jsonOnly)
  addStreams(app, options)
  for (const [name, endpoint] of Object.entries(options.endpoints)) addRoute(app, name, endpoint)
  return app
}

function addRoute(app: Hono, name: string, endpoint: Endpoint): void {
  const route = Object.entries(ROUTES).find(([one]) => one === name)?.[1]
  if (route === undefined) return
  app.on(route.method, honoPath(route.path), async (context) => {
    const given = route.method === 'POST' ? await readBody(context.req.raw) : context.req.query()
    const answer = await endpoint.handle({ ...given, ...context.req.param() })
    return context.json(answer)
  })
}

function addStreams(app: Hono, options: AppOptions): void {
  const { feed, signal, resolveSession, version, openTerminal, blobPath } = options
  const changes = (context: Context, sessionId?: string) =>
    new Response(eventStream(feed, { after: placeOf(context, feed), sessionId, signal }), { headers: STREAM_HEADERS })
  app.get(honoPath(STREAMS.events.path), (context) => changes(context))
  app.get(honoPath(ROUTES.sessionEvents.path), (context, next) => {
    if (!context.req.header('accept')?.includes('text/event-stream')) return next()
    return Promise.resolve(changes(context, resolveSession(context.req.param('id') ?? '')))
  })
  app.get(honoPath(STREAMS.terminal.path), terminalRoute(openTerminal))
  app.get(honoPath(STREAMS.blob.path), (context) => {
    const path = blobPath(context.req.param('id') ?? '', context.req.param('file') ?? '')
    if (!existsSync(path)) throw new Refusal(404, 'SESSION_NOT_FOUND', 'There is no such value')
    context.header('content-type', 'application/octet-stream')
    return stream(context, async (out) => {
      for await (const chunk of createReadStream(path)) await out.write(chunk)
    })
  })
  let document: JsonRecord | undefined
  app.get(honoPath(STREAMS.openapi.path), (context) => {
    document ??= openApiDocument(version) // a tenth of a daemon's start, and seldom asked for
    return context.json(document)
  })
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // Sent at once, so that the server does not wait for a first piece to measure the whole.
  'transfer-encoding': 'chunked',
}

/** Where a reader wants to go on: `Last-Event-ID`, else `after`, else with what comes next. */
function placeOf(context: Context, { lastSeq }: ChangeFeed): LogPlace {
  const given = context.req.header('last-event-id') || context.req.query('after')
  if (given === undefined) return { seq: lastSeq, generation: null }
  const place = readPlace(given)
  if (place) return place
  throw new AgentMuxError('VALIDATION_ERROR', `"${given}" is not a place in the log of changes`, {
    hint: 'Use the id of the last event, as it came.',
  })
}

function honoPath(path: string): string {
  return API_PREFIX + path.replace(/\{(\w+)\}/g, ':$1')
}

/** How long a client may take to say what it wants. Answers, streams above all, may take as long as they need. */
export interface Patience {
  headersMs: number
  requestMs: number
  /** Connections that have not shown the token yet: a client that opens more loses its oldest ones. */
  maxStrangers: number
}

const PATIENCE: Patience = { headersMs: 10_000, requestMs: 60_000, maxStrangers: 100 }
/** Of all, with those that are let in. */
const MAX_CONNECTIONS = 2000
/** Longer than clients keep a connection at hand: else they would use one that is just being closed. */
const KEEP_ALIVE_MS = 65_000

export function createServer(app: Pick<Hono, 'fetch'>, patience: Patience = PATIENCE): Server {
  const { headersMs, requestMs, maxStrangers } = patience
  const websocket = { server: terminalServer() }
  const serverOptions = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: headersMs / 2,
  }
  const server = createAdaptorServer({ fetch: app.fetch, hostname: '127.0.0.1', websocket, serverOptions })
  if (!('requestTimeout' in server)) throw new Error('not an HTTP/1 server')
  server.maxConnections = MAX_CONNECTIONS
  limitStrangers(server, maxStrangers)
  return server
}
