import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DaemonClient } from '../client/index.ts'
import { ROUTES } from '../contract/api/routes.ts'
import { SCHEMAS } from '../contract/api/schemas.ts'
import type { RunnerModule } from '../contract/launch.ts'
import { openWritable } from '../files/sqlite.ts'
import { AlreadyServed, type Daemon, startDaemon } from './daemon.ts'
import { createServer } from './http/server.ts'
import { readRegistration } from './registration.ts'
import { ensureToken } from './token.ts'

const none = async () => Promise.reject(new Error('no runner in these tests'))
const runner: RunnerModule = {
  ...{ createLaunch: none, startRunner: none, connectRunner: none },
  ...{ readRecords: none, runnerState: none, recoverEvents: none, cancelLaunch: none, endLaunch: none },
}

let dataDir: string
let daemon: Daemon
let token: string

const start = (port?: number) => startDaemon({ dataDir, configDir: dataDir, env: { HOME: dataDir }, port, runner })

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agent-mux-daemon-'))
  daemon = await start()
  token = await ensureToken(dataDir)
})

afterEach(async () => {
  await daemon.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

interface OpenApiOperation {
  operationId: string
  parameters?: { name: string; in: string }[]
  responses: Record<string, { description: string }>
  requestBody?: unknown
}

interface Reply {
  status: number
  body: string
}

/** As any program could send it: no library that adds or refuses headers. */
function send(
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  const { port } = new URL(daemon.url)
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      // The server answers and closes while we still send.
      response.on('error', () => {})
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.on('socket', (socket) => socket.on('error', () => {}))
    outgoing.end(body)
  })
}

const allowed = () => ({ authorization: `Bearer ${token}` })
const paths = Object.values(ROUTES).map(({ method, path }) => ({ method, path: `/api/v1${path}` }))
const everyPath = [
  ...paths,
  ...['/events', '/openapi.json', '/nothing'].map((path) => ({ method: 'GET', path: `/api/v1${path}` })),
]

describe('who is let in', () => {
  test.each(everyPath)('$method $path needs the token', async ({ method, path }) => {
    expect((await send(path, { method })).status).toBe(401)
    const wrong = { authorization: `Bearer ${token.slice(1)}x` }
    expect((await send(path, { method, headers: wrong })).status).toBe(401)
  })

  test.each<Record<string, string>>([
    { host: 'evil.example' },
    { host: '127.0.0.1' },
    { host: '127.0.0.1:1' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'https://localhost' },
  ])('a foreign place is refused even with the token: %o', async (headers) => {
    for (const { method, path } of everyPath) {
      expect((await send(path, { method, headers: { ...allowed(), ...headers } })).status).toBe(403)
    }
  })

  test('our own origin is welcome, under each of our names', async () => {
    const { port } = new URL(daemon.url)
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const headers = { ...allowed(), host: `${name}:${port}`, origin: `http://${name}:${port}` }
      expect((await send('/api/v1/health', { headers })).status).toBe(200)
    }
  })

  test('the token is for the user alone', () => {
    expect(statSync(join(dataDir, 'token')).mode & 0o777).toBe(0o600)
  })
})

describe('what is understood', () => {
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    send('/api/v1/sessions', { method: 'POST', headers: { ...allowed(), ...headers }, body })

  test('bodies of another type, of no type, broken ones, and what is not an object', async () => {
    expect((await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('{}', {})).status).toBe(415)
    expect((await post('{"agent":')).status).toBe(400)
    expect((await post('[]')).status).toBe(400)
    expect((await post('null')).status).toBe(400)
  })

  test('a body that is too large is refused, with or without its length', async () => {
    const large = `{"agent":"${'x'.repeat(17 * 1024 * 1024)}"}`
    expect((await post(large)).status).toBe(413)
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    expect((await post(large, chunked)).status).toBe(413)
  })

  test('every fault is named, and nothing unknown is taken', async () => {
    const { status, body } = await post('{"agent":1,"colour":"red"}')
    expect(status).toBe(400)
    const { error } = JSON.parse(body)
    expect(error.code).toBe('VALIDATION_ERROR')
    expect(error.fields.map(({ field }: { field: string }) => field)).toEqual(
      expect.arrayContaining(['agent', 'cwd', '(request)']),
    )
  })

  test('what was sent is not repeated: it may be a secret', async () => {
    const options = {
      mcpServers: [{ name: 'x', url: 'http://x', headers: { authorization: 'Bearer told-to-nobody' } }],
    }
    const body = JSON.stringify({ agent: 'claude', cwd: dataDir, prompt: 'x', options })
    const headers = { ...allowed(), 'content-type': 'application/json' }
    const reply = await send('/api/v1/sessions', { method: 'POST', headers, body })
    expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('mcpServers')])
    expect(reply.body).not.toContain('told-to-nobody')
  })

  test('refusals say what to do', async () => {
    const client = new DaemonClient({ address: { url: daemon.url, token } })
    const error = await client.call('getSession', { id: 'nobody' }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'SESSION_NOT_FOUND', hint: '`amux ls` lists them.' })
    await expect(client.call('spawn', { agent: 'nobody', prompt: 'x', cwd: dataDir })).rejects.toMatchObject({
      code: 'UNKNOWN_AGENT',
    })
    await expect(client.call('listSessions', { limit: -1 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await send('/api/v1/events?after=x', { headers: allowed() })).status).toBe(400)
    expect((await send('/api/v1/nothing', { headers: allowed() })).status).toBe(404)
  })
})

describe('clients that misbehave', () => {
  /** What a server says to bytes as they are, and whether it has closed the connection. */
  function talk(port: number, bytes: string): Promise<string> {
    return new Promise((resolve) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {}) // `close` follows
      socket.on('close', () => resolve(text))
    })
  }

  test('that never finish what they say are cut off, others are answered', async () => {
    const patience = { headersMs: 300, requestMs: 600 }
    const server = createServer(
      { fetch: async (request) => new Response(await request.text()) },
      { ...patience, maxStrangers: 10 },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const slow = [
      talk(port, 'GET / HTTP/1.1\r\nHost: x\r\nA: b'),
      talk(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc'),
    ]
    expect(await talk(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('200 OK')
    const answers = await Promise.all(slow)
    for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 408|$)/)
    server.close()
  })

  test('that speak no HTTP, or too much of it, are refused, and the daemon goes on', async () => {
    const port = Number(new URL(daemon.url).port)
    for (const bytes of [
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nHost: localhost:${port}\r\nContent-Length: x\r\n\r\n`,
      `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    ]) {
      expect(await talk(port, bytes)).toMatch(/^HTTP\/1\.1 4\d\d/)
    }
    expect((await send('/api/v1/health', { headers: allowed() })).status).toBe(200)
  })

  test('names that lead here by way of others are refused, whatever the token', async () => {
    const { port } = new URL(daemon.url)
    const names = ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '0.0.0.0', '127.1', '2130706433']
    for (const name of [...names, '[::ffff:127.0.0.1]', '[::]', 'localhost.', 'user@localhost', '::1']) {
      const headers = { ...allowed(), host: `${name}:${port}` }
      expect([400, 403], name).toContain((await send('/api/v1/health', { headers })).status)
      const origin = { ...allowed(), origin: `http://${name}:${port}` }
      expect((await send('/api/v1/health', { headers: origin })).status, `origin ${name}`).toBe(403)
    }
  })
})

test('the description is a valid one: parameters, references and names', async () => {
  const { body } = await send('/api/v1/openapi.json', { headers: allowed() })
  const document = JSON.parse(body)
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: expect.any(String), version: expect.any(String) } })
  const ids: string[] = []
  for (const [path, methods] of Object.entries<Record<string, OpenApiOperation>>(document.paths)) {
    for (const [method, { operationId, parameters = [], responses, requestBody }] of Object.entries(methods)) {
      ids.push(operationId)
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
      expect(inPath, `${method} ${path}`).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      for (const one of parameters)
        expect(one).toMatchObject({ schema: expect.any(Object), required: expect.any(Boolean) })
      expect(new Set(parameters.map(({ name, in: place }) => `${place} ${name}`)).size).toBe(parameters.length)
      for (const answer of Object.values(responses)) expect(answer.description).toEqual(expect.any(String))
      if (method !== 'post') expect(requestBody).toBeUndefined()
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
  const references = [...body.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? '')
  expect(references.length).toBeGreaterThan(0)
  for (const reference of references) {
    const target = reference
      .slice(2)
      .split('/')
      .reduce((part, name) => part?.[name], document)
    expect(target, reference).toBeDefined()
  }
})

test('the description holds every route with its input', async () => {
  const { body } = await send('/api/v1/openapi.json', { headers: allowed() })
  const document = JSON.parse(body)
  const operations: { operationId: string }[] = Object.values<Record<string, { operationId: string }>>(
    document.paths,
  ).flatMap((path) => Object.values(path))
  const names = operations.map(({ operationId }) => operationId)
  expect(names).toEqual(expect.arrayContaining([...Object.keys(ROUTES), 'events', 'terminal']))
  expect(document.paths['/sessions/{id}/messages'].post).toMatchObject({
    parameters: [{ name: 'id', in: 'path', required: true }],
    requestBody: { required: true, content: { 'application/json': { schema: { required: ['text'] } } } },
  })
  expect(Object.keys(SCHEMAS).toSorted()).toEqual(Object.keys(ROUTES).toSorted())
})

describe('there is one', () => {
  test('a second one gets to know the first', async () => {
    await expect(start()).rejects.toThrow(AlreadyServed)
    expect((await readRegistration(dataDir))?.port).toBe(daemon.registration.port)
  })

  test('of ten that start at once on a new directory', async () => {
    const place = mkdtempSync(join(tmpdir(), 'agent-mux-daemon-'))
    const options = { dataDir: place, configDir: place, env: { HOME: place }, runner }
    const started = await Promise.allSettled(Array.from({ length: 10 }, () => startDaemon(options)))
    const [one, ...others] = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(others).toEqual([])
    expect(await readRegistration(place)).toEqual(one?.registration)
    for (const result of started) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(AlreadyServed)
    await one?.stop()
    rmSync(place, { recursive: true })
  })

  test('a registration of a dead process, of an earlier boot or of no sense is replaced', async () => {
    const { pid, startTime, bootId } = daemon.registration
    await daemon.stop()
    const leftovers = [
      { pid, startTime: '1', bootId, port: 1 },
      { pid, startTime, bootId: 'earlier', port: 1 },
      { pid: 2 ** 22 + 1, startTime: '1', bootId, port: 1 },
      'rubbish',
    ]
    for (const leftover of leftovers) {
      writeFileSync(join(dataDir, 'daemon.json'), JSON.stringify(leftover), { mode: 0o600 })
      daemon = await start()
      expect((await send('/api/v1/health', { headers: allowed() })).status).toBe(200)
      await daemon.stop()
      expect(await readRegistration(dataDir)).toBeNull()
    }
  })

  test('a preferred port that is taken gives way, one that was asked for does not', async () => {
    const taken = daemon.registration.port ?? 0
    const other = mkdtempSync(join(tmpdir(), 'agent-mux-daemon-'))
    const options = { dataDir: other, configDir: other, env: { HOME: other }, runner }
    await expect(startDaemon({ ...options, port: taken })).rejects.toThrow(`Port ${taken} is taken`)
    expect(await readRegistration(other), 'nothing is left behind').toBeNull()
    rmSync(other, { recursive: true })
  })

  test('it ends on request, and says so', async () => {
    const client = new DaemonClient({ address: { url: daemon.url, token } })
    const health = await client.call('health')
    expect(health).toMatchObject({ ok: true, pid: process.pid, live: 0, queued: 0 })
    await client.call('shutdown')
    await daemon.ended
    expect(await readRegistration(dataDir)).toBeNull()
  })

  test('it leaves when its registration is not its own any more', async () => {
    const registration = await readRegistration(dataDir)
    writeFileSync(join(dataDir, 'daemon.json'), JSON.stringify({ ...registration, startTime: '1' }))
    await daemon.ended
    expect((await readRegistration(dataDir))?.startTime, "the other's is left alone").toBe('1')
  }, 15_000)

  test('a database that is none is named, and left as it is', async () => {
    await daemon.stop()
    const path = join(dataDir, 'daemon.db')
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    writeFileSync(path, 'no database'.repeat(100))
    await expect(start()).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      message: expect.stringContaining(`${path} is damaged`),
      hint: expect.stringMatching(/amux backup restore.*move daemon.db away/),
    })
    expect(readFileSync(path, 'utf8')).toContain('no database')
    expect(await readRegistration(dataDir)).toBeNull()
  })

  test.each([
    ['an empty file', 'the file is empty', (path: string) => writeFileSync(path, '')],
    ['no table', 'no such table: launches', (path: string) => withDatabase(path, 'DROP TABLE launches')],
    ['another version', 'already exists', (path: string) => withDatabase(path, 'PRAGMA user_version = 0')],
  ])('a database with %s is named as damaged, and what it held is not forgotten', async (_what, why, damage) => {
    await daemon.stop()
    mkdirSync(join(dataDir, 'launches', 'one-1'), { recursive: true, mode: 0o700 })
    const path = join(dataDir, 'daemon.db')
    await damage(path)
    await expect(start()).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      message: expect.stringMatching(new RegExp(`daemon.db is damaged.*${why}`)),
      hint: expect.stringContaining('amux backup restore'),
    })
  })

  test('an empty database where nothing ever ran is a new one', async () => {
    await daemon.stop()
    for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `daemon.db${end}`), { force: true })
    writeFileSync(join(dataDir, 'daemon.db'), '', { mode: 0o600 })
    daemon = await start()
    expect((await send('/api/v1/health', { headers: allowed() })).status).toBe(200)
  })

  test('settings that make no sense are named, and nothing is started', async () => {
    await daemon.stop()
    writeFileSync(join(dataDir, 'config.json'), '{"daemon":{"maxLive":0}}')
    await expect(start()).rejects.toThrow('daemon.maxLive')
    expect(await readRegistration(dataDir)).toBeNull()
  })
})

async function withDatabase(path: string, sql: string): Promise<void> {
  const database = await openWritable(path)
  database.exec(sql)
  database.close()
}
