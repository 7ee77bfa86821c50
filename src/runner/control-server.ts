import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
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

  /** Of notices of one kind only the newest counts: whoever is behind gets that one when it has caught up. */
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

/** Listens on the launch's socket, which only its owner can reach: it stands in a private directory. */
export class ControlServer {
  readonly #connections = new Set<ControlConnection>()
  readonly #handler: ControlHandler
  readonly #server: Server
  #records: ControlNotice | null = null

  constructor(handler: ControlHandler) {
    this.#handler = handler
    this.#server = createServer((socket) => this.#accept(socket))
  }

  listen(path: string): Promise<void> {
    // A launch has one runner, so that whatever is there is a leftover.
    if (process.platform !== 'win32') rmSync(path, { force: true })
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(path, resolve)
    })
  }

  notify(notice: ControlNotice): void {
    for (const connection of this.#connections) connection.send(notice)
  }

  /** Tells how far the records are. */
  notifyRecords(records: number, offset: number): void {
    const notice: ControlNotice = { notice: 'records', records, offset }
    this.#records = notice
    for (const connection of this.#connections) connection.sendNewest(notice)
  }

  /** Says goodbye to everybody, and gives them a moment to hear it. */
  async close(): Promise<void> {
    this.notify({ notice: 'ended' })
    for (const connection of this.#connections) connection.end()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
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
