import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RouteName } from '../src/client/index.ts'
import { API_PREFIX, ROUTES, STREAMS } from '../src/contract/api/routes.ts'
import { asArray, asRecord, type JsonRecord } from '../src/core/json.ts'
import { daemonAddress } from '../src/daemon/address.ts'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'
import { faultsOf } from './support/json-schema.ts'

// Every route of a running daemon, asked over HTTP as any client would, and its answer held against the document.
let built: DaemonPackage
let daemon: DaemonHome
let document: JsonRecord

beforeAll(async () => {
  built = buildPackage()
  daemon = new DaemonHome(built, built.scenes)
  await daemon.serve()
  const answer: unknown = await (await request('GET', '/openapi.json')).json()
  document = asRecord(answer) ?? {}
})
afterAll(async () => {
  // It was told to shut down, and may not have left yet: nobody is to ask it anything.
  await daemon.stop()
  await daemon.remove()
  built.remove()
})

async function request(
  method: string,
  target: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<Response> {
  const { url, token } = await daemonAddress(daemon.dataDir)
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...more }
  return fetch(url + API_PREFIX + target, { method, headers, body: body && JSON.stringify(body) })
}

const asked = new Set<string>()

function operationOf(method: string, path: string): JsonRecord {
  return asRecord(asRecord(asRecord(document.paths)?.[path])?.[method.toLowerCase()]) ?? {}
}

function schemaOf(method: string, path: string, status: number, type = 'application/json'): unknown {
  const responses = asRecord(operationOf(method, path).responses)
  const answer = asRecord(responses?.[status] ?? responses?.default)
  return asRecord(asRecord(answer?.content)?.[type])?.schema
}

/** Asks, and holds the answer against the document. Fields of the path are taken from the input. */
async function ask(name: RouteName, input: JsonRecord = {}): Promise<JsonRecord> {
  asked.add(name)
  const { method, path } = ROUTES[name]
  const target = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(input[field])))
  const rest = Object.entries(input).filter(([field]) => !path.includes(`{${field}}`))
  const query = new URLSearchParams(Object.fromEntries(rest.map(([field, value]) => [field, String(value)])))
  const isPost = method === 'POST'
  const response = await request(
    method,
    isPost || rest.length === 0 ? target : `${target}?${query}`,
    isPost ? Object.fromEntries(rest) : undefined,
  )
  const answer: unknown = await response.json()
  expect(
    faultsOf(document, schemaOf(method, path, response.status), answer),
    `${name}: ${JSON.stringify(answer)}`,
  ).toEqual([])
  return { status: response.status, answer }
}

async function fine(name: RouteName, input: JsonRecord = {}): Promise<JsonRecord> {
  const { status, answer } = await ask(name, input)
  expect({ status, answer }, name).toMatchObject({ status: 200 })
  return asRecord(answer) ?? {}
}

const ALL = [
  ...Object.values(ROUTES).map(({ method, path }) => ({ method, path })),
  ...Object.values(STREAMS).map(({ path }) => ({ method: 'GET', path })),
]

test.each(ALL)('$method $path refuses as the document says', async ({ method, path }) => {
  const target = path.replace(/\{\w+\}/g, 'nobody')
  const refusals = [
    request(method, target, undefined, { authorization: 'Bearer wrong' }),
    request(method, target, undefined, { origin: 'http://elsewhere.example' }),
    method === 'POST' ? request(method, target, { zzz: 1 }) : null,
    method === 'POST' ? request(method, target, [1]) : null,
    method === 'GET' && path !== STREAMS.openapi.path ? request(method, `${target}?zzz=1&after=x`) : null,
  ]
  for (const refused of refusals) {
    const response = await refused
    if (response === null) continue
    expect(response.ok).toBe(false)
    const answer: unknown = await response.json()
    const schema = schemaOf(method, path, response.status)
    expect(schema, `${response.status}`).toEqual({ $ref: '#/components/schemas/Error' })
    expect(faultsOf(document, schema, answer), JSON.stringify(answer)).toEqual([])
  }
})

/** The changes and ids of a stream up to this change. */
async function streamed(path: string, lastSeq: number): Promise<{ changes: unknown[]; ids: string[] }> {
  const response = await request('GET', `${path}?after=0`, undefined, { accept: 'text/event-stream' })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const changes: { seq: number }[] = []
  const ids: string[] = []
  let text = ''
  while (!changes.some(({ seq }) => seq >= lastSeq)) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    if (done) break
    const events = (text + value).split('\n\n')
    text = events.pop() ?? ''
    for (const line of events.join('\n').split('\n')) {
      if (line.startsWith('data: ')) changes.push(JSON.parse(line.slice(6)))
      if (line.startsWith('id: ')) ids.push(line.slice(4))
    }
  }
  await reader?.cancel()
  return { changes, ids }
}

test('every route answers as the document says', async () => {
  await fine('health')
  const { id } = await fine('spawn', { agent: 'claude', prompt: 'ask', cwd: daemon.work, name: 'one', key: 'k' })
  await daemon.inState(String(id), 'blocked')
  for (const name of ['getSession', 'approvals', 'activity', 'pause', 'resume'] as const) await fine(name, { id })
  await fine('answer', { id, interactionId: 'oldest', decision: 'approve' })
  await daemon.inState(String(id), 'idle')
  await fine('send', { id, text: 'tool' })
  await daemon.session(String(id), 'the second turn', ({ usage }) => usage.turns >= 2)
  await ask('interrupt', { id })
  await ask('setModel', { id, model: 'opus' })
  await ask('screen', { id })
  const { lastSeq } = await fine('sessionEvents', { id, limit: 1000 })
  for (const path of [STREAMS.events.path, ROUTES.sessionEvents.path]) {
    const { changes, ids } = await streamed(path.replace('{id}', String(id)), Number(lastSeq))
    expect(changes.length).toBeGreaterThan(10)
    const schema = schemaOf('GET', path, 200, 'text/event-stream')
    for (const change of changes) expect(faultsOf(document, schema, change), JSON.stringify(change)).toEqual([])
    const [place] = asArray(operationOf('GET', path).parameters).filter((one) => asRecord(one)?.in === 'header')
    expect(faultsOf(document, asRecord(place)?.schema, ids.at(-1))).toEqual([])
  }
  await fine('kill', { id })
  await fine('planRestore', { id })
  const restored = await ask('restore', { id, prompt: 'say again', as: 'fresh' })
  expect(restored.status).toBe(200)
  await daemon.session(String(id), 'the restored turn', ({ activity }) => activity.state === 'idle')
  await fine('kill', { id })
  const runs = await ask('listRuns', { session: id })
  const [run] = Array.isArray(runs.answer) ? runs.answer : []
  await fine('getRun', { id: run.id })
  for (const name of ['listSessions', 'listAgents', 'listAuth', 'quota', 'notifications', 'leftovers'] as const) {
    await fine(name)
  }
  for (const by of ['session', 'agent', 'model', 'day']) await fine('usage', { by })
  for (const agent of ['claude', 'codex', 'gemini']) {
    await fine('getAgent', { agent })
    await fine('getAuth', { agent })
  }
  await fine('listTranscripts')
  await fine('searchTranscripts', { text: 'word' })
  await ask('unpark', {})
  await ask('getTranscript', { agent: 'claude', sessionId: 'none' })
  await ask('getSession', { id: 'nobody' })
  await fine('removeSession', { id })
  await fine('shutdown')
  expect(Object.keys(ROUTES).filter((name) => !asked.has(name))).toEqual([])
}, 120_000)
