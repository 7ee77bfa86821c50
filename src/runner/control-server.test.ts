import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { LineSplitter } from '../core/lines.ts'
import { ControlServer } from './control-server.ts'
import { newSocketPath, removeSocketDirectory } from './socket-path.ts'

let dir = ''
let path = ''
let server: ControlServer
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'amux-control-'))
  path = newSocketPath(dir, 'launch') // TMPDIR may be too long for a socket
  server = new ControlServer({ onRequest: async () => undefined, onClose: () => undefined })
  await server.listen(path)
})
afterEach(async () => {
  await server.close()
  removeSocketDirectory(path)
  rmSync(dir, { recursive: true, force: true })
})

/** Reads nothing before it is asked to. */
function client() {
  const socket = connect(path).pause()
  const lines = new LineSplitter()
  const notices: unknown[] = []
  socket.on('data', (chunk) => notices.push(...lines.push(chunk).map((line) => JSON.parse(line))))
  socket.pause()
  return { socket, notices }
}

test.skipIf(process.platform === 'win32')('the socket is for its owner alone', () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a late client gets the number of records: it may have looked before we knew of it', async () => {
  server.notifyRecords(5, 100)
  const { socket, notices } = client()
  socket.resume()
  await until('a notice', () => notices.length > 0)
  expect(notices).toEqual([{ notice: 'records', records: 5, offset: 100 }])
  socket.destroy()
})

test('a client that is behind gets the newest in the end, and not everything', async () => {
  const { socket, notices } = client()
  await new Promise((resolve) => socket.once('connect', resolve))
  server.notifyRecords(0, 0)
  const MANY = 200_000
  for (let n = 1; n <= MANY; n++) {
    server.notifyRecords(n, n)
    if (n % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  socket.resume()
  await until(
    'the newest',
    () => JSON.stringify(notices.at(-1)) === JSON.stringify({ notice: 'records', records: MANY, offset: MANY }),
  )
  expect(notices.length).toBeLessThan(MANY)
  socket.destroy()
})
