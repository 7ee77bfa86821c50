import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { HttpResponse } from '../contract/dialogue.ts'
import { EventStream } from './event-stream.ts'
import { HttpExchange } from './http-exchange.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

function exchange(mustWait: () => boolean = () => false) {
  const seen: HttpResponse[] = []
  const one = new HttpExchange({ onResponse: (_id, response) => seen.push(response), mustWait }, 's3cret')
  return { one, seen }
}

test('an answer comes back as JSON, and the secret signs the request', async () => {
  const base = await serve((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => response.end(JSON.stringify({ got: text, by: request.headers.authorization })))
  })
  const { one, seen } = exchange()
  await one.send({ requestId: 'a', method: 'POST', url: `${base}/x`, body: { n: 1 }, user: 'me' })
  const by = `Basic ${Buffer.from('me:s3cret').toString('base64')}`
  expect(seen).toEqual([{ status: 200, body: { got: '{"n":1}', by } }])
})

test('a stream is reported event by event, and its end as an error', async () => {
  const base = await serve((_request, response) => {
    response.setHeader('content-type', 'text/event-stream')
    response.write('id: 1\ndata: {"a"')
    response.write(':1}\n\n: comment\n\ndata: one\r\ndata: two\r\n\r\n')
    response.end('data: never finished')
  })
  const { one, seen } = exchange()
  await one.send({ requestId: 'a', method: 'GET', url: base, stream: true })
  expect(seen).toEqual([{ sse: '{"a":1}' }, { sse: 'one\ntwo' }, { error: 'The server has closed the stream.' }])
})

test('a reader that is full stops the stream', async () => {
  const base = await serve((_request, response) => {
    response.write('data: 1\n\n')
    setTimeout(() => response.end('data: 2\n\n'), 20)
  })
  let isFull = true
  const { one, seen } = exchange(() => isFull)
  const done = one.send({ requestId: 'a', method: 'GET', url: base, stream: true })
  await expect.poll(() => seen.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(seen).toEqual([{ sse: '1' }])
  isFull = false
  one.resumeReading()
  await done
  expect(seen[1]).toEqual({ sse: '2' })
})

test('close ends a stream without a word', async () => {
  const base = await serve((_request, response) => {
    response.write('data: 1\n\n')
  })
  const { one, seen } = exchange()
  const done = one.send({ requestId: 'a', method: 'GET', url: base, stream: true })
  await expect.poll(() => seen.length).toBe(1)
  one.close()
  await done
  expect(seen).toEqual([{ sse: '1' }])
})

test('other machines are never spoken to, nor by a redirect', async () => {
  const { one, seen } = exchange()
  await one.send({ requestId: 'a', method: 'GET', url: 'http://192.0.2.1/x' })
  expect(seen[0]).toEqual({ error: 'http://192.0.2.1/x is not on this machine' })
  const base = await serve((_request, response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end())
  await one.send({ requestId: 'b', method: 'GET', url: base })
  expect(seen[1]).toHaveProperty('error')
})

test('a server that is gone is an error', async () => {
  const base = await serve((request) => request.socket.destroy())
  const { one, seen } = exchange()
  await one.send({ requestId: 'a', method: 'GET', url: base })
  expect(seen[0]).toHaveProperty('error')
})

test('events are the same however they are cut', () => {
  const bytes = Buffer.from('data: ä\n\nevent: x\ndata:{"b":2}\n\n')
  const events = new EventStream()
  expect([...bytes].flatMap((byte) => events.push(Uint8Array.of(byte)))).toEqual(['ä', '{"b":2}'])
})
