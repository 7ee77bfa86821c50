import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compile, faultsOf } from '../../../test/support/json-schema.ts'
import { API_PREFIX, ROUTES, STREAMS } from '../../contract/api/routes.ts'
import type { RunnerModule } from '../../contract/launch.ts'
import { type Daemon, startDaemon } from '../daemon.ts'
import { ensureToken } from '../token.ts'
import { openApiDocument } from './openapi.ts'

const none = async () => Promise.reject(new Error('no runner in these tests'))
const runner: RunnerModule = {
  ...{ createLaunch: none, startRunner: none, connectRunner: none },
  ...{ readRecords: none, runnerState: none, recoverEvents: none, cancelLaunch: none, endLaunch: none },
}

/** What the contract promises: a word of it, and the requests that keep it. */
const CONTRACT = {
  'sessions: list': ['GET /sessions'],
  'sessions: spawn': ['POST /sessions'],
  'sessions: get': ['GET /sessions/{id}'],
  'sessions: restore': ['POST /sessions/{id}/restore', 'GET /sessions/{id}/restore'],
  'sessions: kill': ['POST /sessions/{id}/kill'],
  'sessions: send': ['POST /sessions/{id}/messages'],
  'sessions: interrupt': ['POST /sessions/{id}/interrupt'],
  'sessions: approvals': ['GET /sessions/{id}/approvals', 'POST /sessions/{id}/approvals/{interactionId}'],
  'sessions: activity': ['GET /sessions/{id}/activity'],
  'sessions: events (replay by sequence)': ['GET /sessions/{id}/events'],
  'sessions: terminal (WebSocket)': ['GET /sessions/{id}/terminal'],
  runs: ['GET /runs', 'GET /runs/{id}'],
  'transcripts: list, search, get': [
    ...['GET /transcripts', 'GET /transcripts/search', 'GET /transcripts/{agent}/{sessionId}'],
  ],
  agents: ['GET /agents', 'GET /agents/{agent}'],
  'usage and quota': ['GET /usage', 'GET /quota', 'POST /quota/unpark'],
  auth: ['GET /auth', 'GET /auth/{agent}'],
  'GET /events SSE': ['GET /events'],
  health: ['GET /health'],
  'OpenAPI served': ['GET /openapi.json'],
}

/** What there is beside it. */
const MORE = [
  ...['POST /shutdown', 'DELETE /sessions/{id}', 'POST /sessions/{id}/pause', 'POST /sessions/{id}/resume'],
  ...['POST /sessions/{id}/model', 'GET /sessions/{id}/screen', 'GET /runs/{id}/blobs/{file}'],
  ...['GET /leftovers', 'GET /notifications'],
]

const TABLE = [
  ...Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`),
  ...Object.values(STREAMS).map(({ path }) => `GET ${path}`),
]

let dataDir: string
let daemon: Daemon
let token: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agent-mux-api-'))
  daemon = await startDaemon({ dataDir, configDir: dataDir, env: { HOME: dataDir }, runner })
  token = await ensureToken(dataDir)
})
afterAll(async () => {
  await daemon.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The first line of what is answered, and its body as far as it is there. */
function ask(request: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const [method, path = ''] = request.split(' ')
  const url = new URL(daemon.url)
  const lines = { host: url.host, connection: 'close', 'content-length': '0', ...headers }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
  const target = API_PREFIX + path.replace(/\{\w+\}/g, 'x')
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(url.port), '127.0.0.1', () => {
      socket.write([`${method} ${target} HTTP/1.1`, ...head, '', ''].join('\r\n'))
    })
    const done = () => {
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text })
    }
    socket.on('data', (chunk) => {
      text += chunk
      // A stream never ends.
      if (text.includes('text/event-stream')) done()
    })
    socket.on('error', done).on('close', done)
  })
}

const UPGRADE = {
  ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
  ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': 'amux.terminal' },
}
/** Every request there is, and those that change the protocol on the way. */
const EVERY: [request: string, headers: Record<string, string>][] = [
  ...TABLE.filter((request) => request !== 'POST /shutdown').map((request): [string, Record<string, string>] => [
    request,
    {},
  ]),
  ['GET /sessions/{id}/events', { accept: 'text/event-stream' }],
  ['GET /sessions/{id}/terminal', UPGRADE],
  ['GET /events', UPGRADE],
]

describe('the table of routes', () => {
  test('is what the contract lists, and nothing that nobody has listed', () => {
    expect(TABLE.toSorted()).toEqual([...Object.values(CONTRACT).flat(), ...MORE].toSorted())
  })

  test.each(EVERY)('%s is answered by somebody %o', async (request, headers) => {
    const { status, text } = await ask(request, { ...headers, authorization: `Bearer ${token}` })
    expect(status).toBeGreaterThan(199)
    expect(text).not.toContain(`There is no ${request.split(' ')[0]}`)
  })
})

describe('on every route, whatever the protocol,', () => {
  const port = () => new URL(daemon.url).port
  const faults: [what: string, status: number, headers: () => Record<string, string>][] = [
    ['no token', 401, () => ({})],
    ['a wrong token', 401, () => ({ authorization: `Bearer ${token.slice(1)}x` })],
    ['a token in a cookie', 401, () => ({ cookie: `token=${token}` })],
    ['a foreign Host', 403, () => ({ authorization: `Bearer ${token}`, host: `evil.example:${port()}` })],
    ['a foreign Origin', 403, () => ({ authorization: `Bearer ${token}`, origin: 'http://evil.example' })],
    ['the Origin of another port', 403, () => ({ authorization: `Bearer ${token}`, origin: 'http://127.0.0.1:1' })],
  ]
  test.each(faults)('%s is refused', async (_, status, headers) => {
    for (const [request, more] of [...EVERY, ['POST /shutdown', {}] as const]) {
      const answer = await ask(request, { ...more, ...headers() })
      expect(answer.status, `${request} ${JSON.stringify(more)}`).toBe(status)
      expect(answer.text).not.toContain('101 Switching')
    }
  })

  test('a token among the protocols counts for a WebSocket of ours', async () => {
    const headers = { ...UPGRADE, 'sec-websocket-protocol': `amux.terminal, amux.bearer.${token}` }
    expect((await ask('GET /sessions/{id}/terminal', headers)).status, 'there is no such session').toBe(404)
  })

  test('a token among the protocols does not count for a plain request', async () => {
    const headers = { 'sec-websocket-protocol': `amux.terminal, amux.bearer.${token}` }
    for (const request of TABLE) expect((await ask(request, headers)).status, request).toBe(401)
  })
})

// The part of OpenAPI 3.1 that is used here, strictly: whatever is misspelt or in the wrong place is a fault.
const schema = z.record(z.string(), z.unknown())
const body = z.strictObject({ schema })
const content = z.partialRecord(z.enum(['application/json', 'text/event-stream', 'application/octet-stream']), body)
const parameter = z.strictObject({
  ...{ name: z.string().min(1), in: z.enum(['path', 'query', 'header']), required: z.boolean(), schema },
  description: z.string().optional(),
})
const operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(3),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z
    .record(
      z.string().regex(/^([1-5]\d\d|default)$/),
      z.strictObject({ description: z.string(), content: content.optional() }),
    )
    .refine((responses) => responses.default !== undefined && Object.keys(responses).length > 1),
  'x-websocket': z.strictObject({ sends: schema, takes: schema }).optional(),
})
const openApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string() }),
  servers: z.array(z.strictObject({ url: z.literal(API_PREFIX) })).length(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string().startsWith('/'),
    z.strictObject({ get: operation.optional(), post: operation.optional(), delete: operation.optional() }),
  ),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer') })),
    schemas: z.record(z.string(), schema),
  }),
})

describe('the description', () => {
  const described = async () => {
    const answer = await fetch(daemon.url + API_PREFIX + STREAMS.openapi.path, {
      headers: { authorization: `Bearer ${token}` },
    })
    return openApi.parse(await answer.json())
  }

  test('is OpenAPI, with each route of the table and no other', async () => {
    const { paths } = await described()
    const requests = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(requests.toSorted()).toEqual(TABLE.toSorted())
  })

  test('has a valid schema for each request and answer', async () => {
    const { paths, components } = await described()
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    for (const { requestBody, responses } of operations) {
      for (const one of [requestBody?.content, ...Object.values(responses).map((answer) => answer.content)]) {
        for (const of of Object.values(one ?? {})) compile(components.schemas, of?.schema)
      }
    }
  })

  test('holds for what is really answered', async () => {
    const { paths } = await described()
    const plain = Object.entries(paths).filter(([path, { get }]) => get?.responses[200]?.content && !path.includes('{'))
    expect(plain.length).toBeGreaterThan(8)
    const document = openApiDocument('0.0.0')
    for (const [path, { get }] of plain) {
      if (path === '/transcripts/search' || path === '/events') continue // needs words; never ends
      const answer = await fetch(daemon.url + API_PREFIX + path, { headers: { authorization: `Bearer ${token}` } })
      const said = get?.responses[200]?.content?.['application/json']?.schema
      expect(faultsOf(document, said, await answer.json()), path).toEqual([])
    }
  }, 60_000)
})
