import { chmodSync, lstatSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentMuxError, isAgentMuxError } from '../contract/errors.ts'
import type { ControlAnswer, ControlNotice, ControlRequest, ControlResult } from '../contract/launch.ts'
import { parseRecord } from '../core/json.ts'
import { LineSplitter } from '../core/lines.ts'
import { faultOf, isControlRequest } from './control-request.ts'

const MAX_REQUEST_BYTES = 16 * 1024 * 1024
/** A viewer that is this far behind is cut off; it gets the whole screen when it comes back. */
const MAX_BEHIND_BYTES = 8 * 1024 * 1024
const GOODBYE_MS = 1000
const LOOK_MS = 1000

/** Which directory it is in. */
function placeOf(path: string): string | null {
  const stats = statSync(dirname(path), { throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : null
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
}

/** One client of the control socket. */
export class ControlConnection {
  readonly #socket: Socket
  #missed: ControlNotice | null = null

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('drain', () => {
      if (this.#missed) this.send(this.#missed)
      this.#missed = null
    })
  }

  send(message: ControlAnswer | ControlNotice): void {
    if (this.#socket.writableLength > MAX_BEHIND_BYTES) this.#socket.destroy()
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  /** Of notices of one kind only the newest counts: a client that is behind gets that one when it has caught up. */
  sendNewest(notice: ControlNotice): void {
    if (this.#socket.writableNeedDrain) this.#missed = notice
    else this.send(notice)
  }

  end(): void {
    this.#socket.end()
  }
}

export interface ControlHandler {
  onRequest(request: ControlRequest, connection: ControlConnection): Promise<ControlResult>
  onClose(connection: ControlConnection): void
}

export function errorAnswer(id: number, error: unknown): ControlAnswer {
  const { code, message, hint } = isAgentMuxError(error)
    ? error
    : new AgentMuxError('INTERNAL', error instanceof Error ? error.message : String(error))
  return { id, ok: false, error: { code, message, hint } }
}

/** Listens on the launch's socket, which only its owner can reach: it is in a private directory. */
export class ControlServer {
  readonly #connections = new Set<ControlConnection>()
  readonly #handler: ControlHandler
  #server: Server | null = null
  #records: ControlNotice | null = null
  #watch: NodeJS.Timeout | undefined

  constructor(handler: ControlHandler) {
    this.#handler = handler
  }

  /** Stays reachable: a socket that somebody removes is made again within a moment. */
  async listen(path: string): Promise<void> {
    await this.#listenOn(path)
    if (process.platform === 'win32') return
    const place = placeOf(path)
    this.#watch = setInterval(() => {
      // Another directory in its place is not ours: nothing of this launch may come back there.
      if (!isSocket(path) && placeOf(path) === place) this.#listenOn(path).catch(() => undefined) // the next look tries again
    }, LOOK_MS).unref()
  }

  async #listenOn(path: string): Promise<void> {
    // A launch has one runner, so that whatever is there is a leftover.
    if (process.platform !== 'win32') rmSync(path, { force: true, recursive: true })
    const server = createServer((socket) => this.#accept(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    // Its directory is private already, and so is the socket itself, whatever the umask is.
    if (process.platform !== 'win32') chmodSync(path, 0o600)
    this.#server = server // who is connected through the one before stays so
  }

  notify(notice: ControlNotice): void {
    for (const connection of this.#connections) connection.send(notice)
  }

  /** Sends the number of records. */
  notifyRecords(records: number, offset: number): void {
    const notice: ControlNotice = { notice: 'records', records, offset }
    this.#records = notice
    for (const connection of this.#connections) connection.sendNewest(notice)
  }

  /** Says goodbye to everybody, and gives them a moment to hear it. */
  async close(): Promise<void> {
    this.notify({ notice: 'ended' })
    for (const connection of this.#connections) connection.end()
    clearInterval(this.#watch)
    const server = this.#server
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
    await Promise.race([closed, sleep(GOODBYE_MS)])
  }

  #accept(socket: Socket): void {
    const connection = new ControlConnection(socket)
    this.#connections.add(connection)
    // It was connected before we knew of it, and may have looked at the records since.
    if (this.#records) connection.send(this.#records)
    const lines = new LineSplitter({ maxLineBytes: MAX_REQUEST_BYTES, onOversized: () => socket.destroy() })
    socket.on('data', (chunk) => {
      for (const line of lines.push(chunk)) void this.#answer(line, connection)
    })
    socket.on('error', () => {}) // `close` follows
    socket.on('close', () => {
      this.#connections.delete(connection)
      this.#handler.onClose(connection)
    })
  }

  async #answer(line: string, connection: ControlConnection): Promise<void> {
    const record = parseRecord(line) ?? {}
    const id = typeof record.id === 'number' ? record.id : -1
    try {
      if (!isControlRequest(record)) throw new AgentMuxError('VALIDATION_ERROR', `Bad request: ${faultOf(record)}`)
      const result = await this.#handler.onRequest(record, connection)
      connection.send({ id, ok: true, result })
    } catch (error) {
      connection.send(errorAnswer(id, error))
    }
  }
}
