import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { until } from '../../test/support/until.ts'
import { DaemonClient, type TerminalMessage } from './index.ts'

/** A server that answers as the daemon does, and notes what it was asked. */
async function serve() {
  const asked: string[] = []
  const http = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.end('large')
  })
  const sockets = new WebSocketServer({ server: http, handleProtocols: () => 'amux.terminal' })
  sockets.on('connection', (socket, request) => {
    asked.push(`${request.url} ${request.headers['sec-websocket-protocol']}`)
    socket.send(JSON.stringify({ type: 'snapshot', data: '$ ', cols: 80, rows: 24 }))
    socket.on('message', (data) => socket.send(JSON.stringify({ type: 'output', data: String(data) })))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => {
    sockets.close()
    http.close()
  })
  const { port } = http.address() as AddressInfo
  const address = { url: `http://127.0.0.1:${port}`, token: 't' }
  return { asked, client: new DaemonClient({ address, webSocket: WebSocket }) }
}

test('a blob comes by its run and its file', async () => {
  const { asked, client } = await serve()
  expect(Buffer.from(await client.blob('a/1', 'b.bin')).toString()).toBe('large')
  expect(asked).toEqual(['GET /api/v1/runs/a%2F1/blobs/b.bin Bearer t'])
})

test('a terminal shows its screen first, and takes what is typed', async () => {
  const { asked, client } = await serve()
  const messages: TerminalMessage[] = []
  const terminal = await client.terminal('s1', (message) => messages.push(message))
  terminal.send({ type: 'input', data: 'ls' })
  await until('the echo', () => messages.length === 2)
  expect(messages).toMatchObject([
    { type: 'snapshot', cols: 80 },
    { type: 'output', data: '{"type":"input","data":"ls"}' },
  ])
  expect(asked).toEqual(['/api/v1/sessions/s1/terminal amux.terminal,amux.bearer.t'])
  terminal.close()
  await terminal.closed
})
