import { upgradeWebSocket } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { WSContext } from 'hono/ws'
import { WebSocketServer } from 'ws'
import { TERMINAL_PROTOCOL, type TerminalMessage } from '../../contract/api/terminal.ts'
import {
  type ControlCommand,
  type ControlNotice,
  type ControlResult,
  MAX_TERMINAL_LENGTH,
  type RunnerConnection,
  type TerminalSnapshot,
} from '../../contract/launch.ts'
import { asNumber, asRecord, parseRecord } from '../../core/json.ts'
import { Refusal } from './errors.ts'

const MAX_MESSAGE_BYTES = 1024 * 1024
/** A viewer that is so far behind is let go. It comes back and gets the screen as it is then. */
const MAX_BEHIND_BYTES = 4 * 1024 * 1024
const TOO_SLOW = 1013
const NOT_UNDERSTOOD = 1007

export function terminalServer(): WebSocketServer {
  const handleProtocols = (offered: Set<string>) => (offered.has(TERMINAL_PROTOCOL) ? TERMINAL_PROTOCOL : false)
  return new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols })
}

/** `open` throws at once for a session that has no terminal to show. */
export function terminalRoute(open: (given: string) => () => Promise<RunnerConnection>): MiddlewareHandler {
  const upgrade = upgradeWebSocket((context) => {
    const connect = open(context.req.param('id') ?? '')
    const viewer = new Viewer()
    return {
      onOpen: (_, socket) => void viewer.show(connect, socket),
      onMessage: ({ data }, socket) => viewer.receive(data, socket),
      onClose: () => viewer.close(),
      onError: () => viewer.close(),
    }
  })
  return (context, next) => {
    if (context.req.header('upgrade')?.toLowerCase() === 'websocket') return upgrade(context, next)
    throw new Refusal(426, 'VALIDATION_ERROR', 'A terminal is a WebSocket')
  }
}

/** One viewer, with a connection of its own to the runner: none waits for another. */
class Viewer {
  #runner: RunnerConnection | null = null
  /** What was typed before the runner could be reached. */
  #early: ControlCommand[] = []
  #isClosed = false
  #close: () => void = () => {}

  async show(connect: () => Promise<RunnerConnection>, socket: WSContext): Promise<void> {
    try {
      const runner = await connect()
      if (this.#isClosed) return runner.close()
      this.#close = () => runner.close()
      runner.onNotice((notice) => this.#onNotice(notice, socket))
      const screen = await runner.request({ command: 'subscribe' })
      if (isSnapshot(screen)) send(socket, { type: 'snapshot', ...screen })
      this.#runner = runner
      for (const command of this.#early.splice(0)) this.#send(runner, command)
      await runner.closed
    } catch {
      // It has ended, and the viewer gets to know that below.
    }
    if (!this.#isClosed) send(socket, { type: 'ended' })
    socket.close(1000)
  }

  receive(text: unknown, socket: WSContext): void {
    const command = typeof text === 'string' ? commandOf(text) : null
    if (command === null) socket.close(NOT_UNDERSTOOD, 'not an input of a terminal')
    else if (this.#runner) this.#send(this.#runner, command)
    else this.#early.push(command)
  }

  close(): void {
    this.#isClosed = true
    this.#close()
  }

  #send(runner: RunnerConnection, command: ControlCommand): void {
    runner.request(command).catch(() => {}) // it is ending
  }

  #onNotice(notice: ControlNotice, socket: WSContext): void {
    if (notice.notice === 'output') send(socket, { type: 'output', data: notice.data })
    if (notice.notice === 'resized') send(socket, { type: 'resized', cols: notice.cols, rows: notice.rows })
  }
}

function send(socket: WSContext, message: TerminalMessage): void {
  const behind = asNumber(asRecord(socket.raw)?.bufferedAmount) ?? 0
  if (behind > MAX_BEHIND_BYTES) socket.close(TOO_SLOW, 'too slow')
  else socket.send(JSON.stringify(message))
}

/** What a viewer wants, as the runner takes it; null when it makes no sense. */
function commandOf(text: string): ControlCommand | null {
  const { type, data, cols, rows } = parseRecord(text) ?? {}
  if (type === 'input' && typeof data === 'string') return { command: 'input', data }
  const isLength = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_TERMINAL_LENGTH
  return type === 'resize' && isLength(cols) && isLength(rows) ? { command: 'resize', cols, rows } : null
}

function isSnapshot(result: ControlResult): result is TerminalSnapshot {
  return result !== undefined && 'data' in result
}
