import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Change } from '../contract/api/change.ts'
import { Accumulator } from './accumulate.ts'
import { DaemonClient } from './index.ts'
import { ServerEventReader } from './sse.ts'

/** Every module that is loaded with this one; imports of types leave nothing behind. */
function modulesOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const [, clause = '', from = ''] of readFileSync(path, 'utf8').matchAll(
    /^(?:im|ex)port (.*?)from '([^']+)'/gms,
  )) {
    if (/^type\b/.test(clause)) continue
    if (from.startsWith('.')) modulesOf(join(dirname(path), from), found)
    else found.add(from)
  }
  return found
}

test('nothing but the contract is loaded, and nothing that a browser lacks', () => {
  const modules = [...modulesOf(fileURLToPath(new URL('index.ts', import.meta.url)))]
  expect(modules.filter((path) => !/src\/(client|contract)\//.test(path))).toEqual([])
  expect(modules.length).toBeGreaterThan(3)
})

describe('server-sent events', () => {
  test('come out whole, however they are cut', () => {
    const text =
      ': hello\nretry: 500\n\nid: 1\nevent: a\ndata: {"x":"ü"}\n\nid: 2\nevent: b\ndata: one\ndata: two\n\n: beat\n\n'
    const events = [
      { id: '1', event: 'a', data: '{"x":"ü"}' },
      { id: '2', event: 'b', data: 'one\ntwo' },
    ]
    for (let size = 1; size <= text.length; size++) {
      const reader = new ServerEventReader()
      const seen = []
      for (let at = 0; at < text.length; at += size) seen.push(...reader.push(text.slice(at, at + size)))
      expect(seen).toEqual(events)
    }
  })
})

test('what is left out on the wire is put back', () => {
  const accumulator = new Accumulator()
  const base = { runId: 'r', agent: 'a', timestamp: 1 }
  const texts = [
    { ...base, type: 'message_start' },
    { ...base, type: 'text_delta', delta: 'Hel' },
    { ...base, type: 'text_delta', delta: 'lo' },
    { ...base, type: 'message_start' },
    { ...base, type: 'text_delta', delta: 'again' },
  ].map((event, index) => {
    const change: Change = JSON.parse(
      JSON.stringify({ seq: index, kind: 'event', sessionId: 's', launch: 1, n: 1, event }),
    )
    const done = accumulator.complete(change)
    return done.kind === 'event' && done.event.type === 'text_delta' ? done.event.accumulated : null
  })
  expect(texts).toEqual([null, 'Hel', 'Hello', null, 'again'])
})

describe('a request', () => {
  const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

  test('puts each field where it belongs, and gives what must not be done twice a key that stays the same', async () => {
    const sent: { url: string; body?: unknown }[] = []
    const client = new DaemonClient({
      address: { url: 'http://x', token: 't' },
      fetch: async (url, init) => {
        sent.push({ url: String(url), body: init?.body })
        if (sent.length === 1) throw new TypeError('fetch failed')
        return answer(200, {})
      },
    })
    await client.call('send', { id: 'a/b', text: 'hi' })
    await client.call('listSessions', { agent: 'claude', limit: 5, live: undefined })
    expect(sent.map(({ url }) => url)).toEqual([
      ...Array(2).fill('http://x/api/v1/sessions/a%2Fb/messages'),
      'http://x/api/v1/sessions?agent=claude&limit=5',
    ])
    expect(JSON.parse(String(sent[0]?.body))).toEqual({ text: 'hi', key: expect.any(String) })
    expect(sent[1]?.body).toBe(sent[0]?.body)
  })

  test('that is refused says why, and is not sent again', async () => {
    let count = 0
    const client = new DaemonClient({
      address: { url: 'http://x', token: 't' },
      fetch: async () => {
        count += 1
        return answer(409, {
          error: { code: 'RUN_NOT_ACTIVE', message: 'gone', hint: 'restore it', recoverable: false },
        })
      },
    })
    await expect(client.call('interrupt', { id: 'x' })).rejects.toMatchObject({
      code: 'RUN_NOT_ACTIVE',
      hint: 'restore it',
    })
    expect(count).toBe(1)
  })

  test('that could do something twice is not repeated without a key', async () => {
    let count = 0
    const client = new DaemonClient({
      address: { url: 'http://x', token: 't' },
      fetch: async () => {
        count += 1
        throw new TypeError('fetch failed')
      },
    })
    await expect(client.call('kill', { id: 'x' })).rejects.toThrow('cannot be reached')
    expect(count).toBe(1)
  })
})

test('changes that come while a connection is made again are not missed, even before the first one', async () => {
  const asked: string[] = []
  const body = ['retry: 500\nid: 7\n\n', 'id: 8\nevent: removed\ndata: {"seq":8,"kind":"removed","sessionId":"s"}\n\n']
  const client = new DaemonClient({
    address: { url: 'http://x', token: 't' },
    fetch: async (url) => {
      asked.push(String(url))
      return new Response(body[asked.length - 1])
    },
  })
  for await (const change of client.changes()) {
    expect(change.seq).toBe(8)
    break
  }
  expect(asked).toEqual(['http://x/api/v1/events', 'http://x/api/v1/events?after=7'])
})

test('what is disposed of ends, also while it waits', async () => {
  const opened: AbortSignal[] = []
  const fetch = async (_url: unknown, init?: RequestInit) => {
    const signal = init?.signal
    if (signal) opened.push(signal)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
    })
    return new Response(body)
  }
  const client = new DaemonClient({ address: { url: 'http://127.0.0.1:1', token: 't' }, fetch })
  const one = client.changes()
  const waiting = one.next()
  await one[Symbol.asyncDispose]()
  expect(await waiting).toEqual({ value: undefined, done: true })
  const two = client.changes()
  const next = two.next()
  await two.return()
  expect(await next).toEqual({ value: undefined, done: true })
  const three = client.changes()
  const last = three.next()
  await client[Symbol.asyncDispose]()
  expect(await last).toEqual({ value: undefined, done: true })
  expect(opened.map(({ aborted }) => aborted)).toEqual([true, true, true])
})
