import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { ServerEventReader } from '../client/sse.ts'
import { readPlace } from '../contract/api/place.ts'
import type { AgentEvent } from '../contract/events.ts'
import { openWritable } from '../files/sqlite.ts'
import { ChangeFeed } from './change-feed.ts'
import { eventStream } from './http/event-stream.ts'
import { Retention } from './retention.ts'
import type { ChangeRow } from './store/change-log.ts'
import { Store } from './store/store.ts'

let directory: string
let store: Store
let feed: ChangeFeed
const ending = new AbortController()

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-mux-feed-'))
  store = await Store.open(directory)
  feed = new ChangeFeed(store.changes)
})

afterEach(() => {
  store.close()
  rmSync(directory, { recursive: true, force: true })
})

const event = (text: string): AgentEvent => ({ type: 'message_stop', text, runId: 'r', agent: 'a', timestamp: 1 })

/** Commits and publishes `count` changes of one session. */
function append(count: number, sessionId = 's', text = 'x'): void {
  const rows: ChangeRow[] = store.transaction(() =>
    Array.from({ length: count }, (_, index) =>
      store.changes.append('event', sessionId, { event: event(text) }, { launch: 1, n: index + 1 }),
    ),
  )
  feed.publish(rows)
}

function framesOf(text: string): unknown[] {
  return new ServerEventReader().push(text).map(({ data }) => JSON.parse(data))
}

function numbers(text: string): number[] {
  return new ServerEventReader().push(text).map(({ id, data }) => {
    expect(id).toBe(feed.idOf(JSON.parse(data).seq))
    return Number.parseInt(id, 10)
  })
}

function upTo(last: number, first = 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Everything after a place, page by page. */
function readAll(after: number, sessionId?: string): number[] {
  const seen: number[] = []
  for (let place = after; ; ) {
    const { text, last } = feed.read(place, sessionId)
    seen.push(...numbers(text))
    if (last === place) return seen
    place = last
  }
}

describe('reading', () => {
  test('from the start, from the middle, at the end', () => {
    append(5)
    expect(readAll(0)).toEqual(upTo(5))
    expect(readAll(3)).toEqual([4, 5])
    expect(readAll(5)).toEqual([])
  })

  test('beyond the end: the reader knows another log, and is told so', () => {
    append(5)
    const { text, last } = feed.read(99)
    expect([framesOf(text), last]).toEqual([[{ seq: 5, kind: 'reset', sessionId: '' }], 5])
    append(1)
    expect(readAll(last)).toEqual([6])
  })

  test('only one session, without reading the others again and again', () => {
    for (let round = 0; round < 10; round++) {
      append(3, 'other')
      append(1, 'mine')
    }
    expect(readAll(0, 'mine')).toEqual([4, 8, 12, 16, 20, 24, 28, 32, 36, 40])
    expect(feed.read(36, 'other')).toMatchObject({ last: 40 })
    expect(feed.read(0, 'nobody')).toEqual({ text: '', last: 40 })
  })

  test('more than is at hand comes from the database, and the two meet without a seam', () => {
    for (let round = 0; round < 20; round++) append(100, 's', 'x'.repeat(10_000))
    expect(readAll(0)).toEqual(upTo(2000))
    expect(readAll(1900)).toEqual(upTo(2000, 1901))
    // A new daemon has nothing at hand.
    feed = new ChangeFeed(store.changes)
    append(3)
    expect(readAll(1995)).toEqual(upTo(2003, 1996))
  })

  test('gaps that a removed session leaves do not stop anybody', () => {
    append(5, 'gone')
    append(2, 's')
    store.transaction(() => store.changes.forget('gone'))
    feed = new ChangeFeed(store.changes)
    expect(readAll(0)).toEqual([6, 7])
    append(1)
    expect(readAll(0)).toEqual([6, 7, 8])
  })

  test.each([
    `data = '{'`,
    `data = '5'`,
    `data = 'null'`,
    `data = '[1,2]'`,
    `data = '"text"'`,
    `data = '{}'`,
    `data = '{"event":null}'`,
    `data = ' ' || data`,
    `data = data || char(10)`,
    `data = CAST(data AS BLOB)`,
    `kind = 'session'`,
    `n = NULL`,
    `launch = 'a"b'`,
    `session_id = 'a"' || char(10)`,
  ])('a damaged row (%s) is a reset for every reader, and stops nobody', async (damage) => {
    append(5)
    const database = await openWritable(join(directory, 'daemon.db'))
    database.exec(`UPDATE change_log SET ${damage} WHERE seq = 3`)
    database.close()
    const sessionId = damage.startsWith('session_id') ? '' : 's'
    feed = new ChangeFeed(store.changes)
    const read = framesOf(feed.read(0).text)
    expect(read).toHaveLength(5)
    expect(read[2]).toEqual({ seq: 3, kind: 'reset', sessionId })
    expect(store.changes.after(0, 10).map(({ json }) => JSON.parse(json))).toEqual(read)
  })

  test('a lost counter hides no row', async () => {
    append(5)
    const database = await openWritable(join(directory, 'daemon.db'))
    database.exec('DELETE FROM sqlite_sequence')
    database.close()
    feed = new ChangeFeed(store.changes)
    expect(readAll(0)).toEqual(upTo(5))
  })

  test('a number is never used twice, even after the newest was removed', () => {
    append(3, 'gone')
    store.transaction(() => store.changes.forget('gone'))
    feed = new ChangeFeed(store.changes)
    append(1)
    expect(readAll(0)).toEqual([4])
  })
})

test('readers that come and go at random see everything once and in order', async () => {
  const total = 20_000
  const writing = (async () => {
    for (let written = 0; written < total; ) {
      const count = Math.min(1 + Math.floor(Math.random() * 200), total - written)
      append(count)
      written += count
      if (Math.random() < 0.3) await sleep(1)
    }
  })()
  const seen: number[] = []
  for (let connection = 0; seen.length < total; connection++) {
    const stream = eventStream(feed, { after: { seq: seen.at(-1) ?? 0, generation: null }, signal: ending.signal })
    const reader = stream.getReader()
    const events = new ServerEventReader()
    for (let pieces = Math.floor(Math.random() * 20); pieces > 0 && seen.length < total; pieces--) {
      const { value } = await reader.read()
      seen.push(...events.push(new TextDecoder().decode(value)).map(({ id }) => Number.parseInt(id, 10)))
    }
    await reader.cancel()
    expect(connection).toBeLessThan(5000)
  }
  await writing
  expect(seen).toEqual(upTo(total))
})

describe('a reader that takes nothing', () => {
  test('is let go, others are not', async () => {
    const server = createServer((_, response) => {
      const stream = eventStream(feed, {
        after: { seq: 0, generation: null },
        signal: ending.signal,
        stallMs: 1000,
        heartbeatMs: 50,
      })
      const reader = stream.getReader()
      const pump = async (): Promise<void> => {
        for (;;) {
          const { value, done } = await reader.read()
          if (done) return
          if (!response.write(value)) await new Promise((resolve) => response.once('drain', resolve))
        }
      }
      pump().catch(() => response.destroy())
      reader.closed.catch(() => response.destroy())
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const open = () => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      socket.on('error', () => {})
      return socket
    }
    const lazy = open().pause()
    let received = 0
    const eager = open().on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    for (let round = 0; round < 100; round++) append(100, 's', 'x'.repeat(2000))
    const before = process.memoryUsage().rss
    // The kernel reports the end only to those who read, so look at the server's side.
    const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
    await until('the one that takes nothing is let go', async () => (await connections()) === 1)
    append(1)
    await until('the other has it all', () => received > 20_000_000)
    expect(eager.destroyed).toBe(false)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
    lazy.destroy()
    eager.destroy()
    server.close()
  })
})

test('a silent stream stays open, and ends with the daemon', async () => {
  const stop = new AbortController()
  const reader = eventStream(feed, {
    after: { seq: 0, generation: null },
    signal: stop.signal,
    heartbeatMs: 20,
  }).getReader()
  const text = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await text()).toContain('retry')
  expect(await text()).toBe(': still here\n\n')
  append(1)
  expect(numbers(await text())).toEqual([1])
  stop.abort()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read());
})

describe('a log that was cut off', () => {
  const prune = (keep: number) => {
    const retention = new Retention(store, keep, pino({ level: 'silent' }))
    for (let steps = 0; steps < 10; steps++) retention.prune()
  }

  test('sends a reader that has missed something a reset, once, and then goes on without a gap', () => {
    append(5000, 'a')
    append(3000, 'b')
    prune(2000)
    expect(store.changes.after(0, 1)[0]?.seq, 'half of it is for each').toBe(4001)
    const [first, ...rest] = framesOf(feed.read(10).text)
    expect([first, rest]).toEqual([{ seq: 7000, kind: 'reset', sessionId: '' }, []])
    expect(readAll(10)).toEqual([7000, ...upTo(8000, 7001)])
    expect(readAll(7000), 'nothing was missed').toEqual(upTo(8000, 7001))
  })

  test('is of no matter to readers of a session that has lost nothing', () => {
    append(3000, 'old')
    append(2000, 'new')
    prune(1500)
    expect(readAll(0, 'new')).toEqual([4250, ...upTo(5000, 4251)])
    append(10, 'newest')
    prune(1200)
    expect(readAll(0, 'newest')).toEqual(upTo(5010, 5001))
    expect(framesOf(feed.read(0, 'old').text)).toEqual([{ seq: 2405, kind: 'reset', sessionId: 'old' }])
    expect(readAll(2405, 'old')).toEqual(upTo(3000, 2406))
  })

  test('is known to the next daemon', async () => {
    append(3000)
    prune(1000)
    store.close()
    store = await Store.open(directory)
    feed = new ChangeFeed(store.changes)
    expect(readAll(0)).toEqual(upTo(3000, 2000))
  })
})

test('what the database puts together is what is put together of a row, to the byte', () => {
  const text = 'quotes " and \\ and ü and \u2028 and 🙂'
  append(20, 's', text)
  const rows = store.transaction(() => [
    store.changes.append('removed', 's', {}),
    store.changes.append('message', 's', { message: { launch: 1, text, at: 1 } }),
    ...store.changes.appendEvents('s', 2, [{ n: 7, body: JSON.stringify({ event: event(text) }) }]),
  ])
  feed.publish(rows)
  const { text: fromRing } = feed.read(0)
  const { text: fromDatabase } = new ChangeFeed(store.changes).read(0)
  expect(fromDatabase).toBe(fromRing)
  expect(framesOf(fromDatabase)).toHaveLength(23)
})

test('events that go in together come out as if they had gone in one by one', () => {
  const bodies = upTo(100).map((n) => ({ n, body: JSON.stringify({ event: event(`<${n}>`) }) }))
  const rows = store.transaction(() => store.changes.appendEvents('s', 3, bodies))
  expect(rows.map(({ seq }) => seq)).toEqual(upTo(100))
  expect(rows).toEqual(store.changes.after(0, 1000, 's'))
  expect(rows.map(({ json }) => JSON.parse(json))).toEqual(
    upTo(100).map((n) => ({ seq: n, kind: 'event', sessionId: 's', launch: 3, n, event: event(`<${n}>`) })),
  )
})

describe('a database that was put back', () => {
  /** What a reader gets first that comes with this id. */
  async function firstAfter(id: string): Promise<{ kind: string; seq: number } | undefined> {
    const reader = eventStream(feed, {
      after: readPlace(id) ?? { seq: 0, generation: null },
      signal: ending.signal,
    }).getReader()
    const events = new ServerEventReader()
    try {
      for (;;) {
        const { value } = await reader.read()
        const [first] = events.push(new TextDecoder().decode(value))
        if (first) return JSON.parse(first.data)
      }
    } finally {
      await reader.cancel()
    }
  }

  async function reopen(change: () => void = () => {}): Promise<void> {
    store.close()
    change()
    store = await Store.open(directory)
    feed = new ChangeFeed(store.changes)
  }

  test('is reported to a reader that has seen more, even when the log has grown beyond that since', async () => {
    const files = ['daemon.db', 'daemon.db-wal', 'daemon.db-shm'].map((name) => join(directory, name))
    append(46)
    const early = feed.idOf(30)
    await reopen(() => {
      for (const file of files.filter(existsSync)) cpSync(file, `${file}.saved`)
    })
    append(76)
    const ahead = feed.idOf(122)
    await reopen(() => {
      for (const file of files) rmSync(file, { force: true })
      for (const file of files.filter((one) => existsSync(`${one}.saved`))) cpSync(`${file}.saved`, file)
    })
    append(204)
    expect(feed.lastSeq).toBe(250)
    expect(await firstAfter(ahead)).toMatchObject({ kind: 'reset', seq: 250 })
    expect(await firstAfter(early), 'what was seen before is still the same').toMatchObject({ kind: 'event', seq: 31 })
    expect(await firstAfter('30'), 'an id of an earlier version').toMatchObject({ kind: 'event', seq: 31 })
    expect(await firstAfter('30.999999'), 'of a log that is gone').toMatchObject({ kind: 'reset' })
  })

  test('and one that only has another daemon is the same log', async () => {
    append(10)
    const id = feed.idOf(10)
    await reopen()
    await reopen()
    append(1)
    expect(await firstAfter(id)).toMatchObject({ kind: 'event', seq: 11 })
  })
})

test('a noisy session pushes none of the others out of the log', () => {
  append(20, 'quiet')
  append(5000, 'noisy')
  append(20, 'other')
  const retention = new Retention(store, 1000, pino({ level: 'silent' }))
  for (let step = 0; step < 10; step++) retention.prune()
  const kept = (id: string) => store.changes.after(0, 10_000, id).length
  expect([kept('quiet'), kept('noisy'), kept('other')]).toEqual([20, 960, 20])
  expect(store.changes.missedAfter(0, 'quiet'), 'nothing of it is missing').toBeNull()
  expect(store.changes.missedAfter(0, 'noisy')).toMatchObject({ kind: 'reset', seq: 4060 })
  expect(store.changes.missedAfter(100), 'whoever reads all has missed some').toMatchObject({ kind: 'reset' })
})
